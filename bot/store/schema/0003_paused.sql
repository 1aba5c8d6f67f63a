-- A frozen game remembers whether it was paused.
alter table matches add column was_paused integer not null default 0;
