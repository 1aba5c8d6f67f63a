-- A restored table is of a later generation than the buttons that were posted before.
alter table matches add column generation  integer not null default 0;
alter table matches add column restored_to integer;
