CREATE INDEX `calls_account_statistics` ON `calls` (
  `account`,
  substr(created_at, 1, 13),
  status,
  end_reason,
  ended_at IS NOT NULL,
  (status = 'completed' OR connected_at IS NOT NULL),
  metadata ->> 'answered_by' IS 'machine',
  metadata ->> 'hangup_requested' IS 1,
  CAST(round((unixepoch(ended_at, 'subsec') - unixepoch(connected_at, 'subsec')) * 1000) AS integer),
  `direction`,
  `agent_id`,
  `campaign_id`
);