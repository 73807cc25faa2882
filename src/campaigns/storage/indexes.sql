-- Made when the import is over: building them once is far cheaper than keeping them up row by row.
CREATE INDEX contacts_due ON contacts (zone, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX contacts_status ON contacts (status, id);
