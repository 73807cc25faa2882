-- The operators' own account: holds their users, is no tenant.
INSERT INTO accounts (name, display_name, plan, listed, created_at, updated_at)
VALUES ('service-admin', 'Platform operators', 'starter', 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
