create table matches (
    number        integer primary key,
    game          text    not null,
    rules_version integer not null,
    options       text    not null,
    status        text    not null,
    host          integer not null,
    guild         integer,
    lobby_channel integer not null,
    game_channel  integer not null,
    visibility_channel integer,
    seed          blob    not null,
    opened_at     integer not null,
    version       integer not null,
    ply           integer not null,
    snapshot      blob,
    to_act        integer,
    question      blob,
    generation    integer not null default 0,
    restored_to   integer,
    was_paused    integer not null default 0,
    undone_with_hindsight integer not null default 0,
    holders       blob,
    free_undos    blob,
    agreed_undo_ply    integer not null default 0,
    needs_agreement    integer not null default 0,
    active_at          integer not null default 0,
    time_control       blob,
    turn_timer         blob,
    notices            blob,
    unrated_reason     text,
    players_may_resume integer not null default 0,
    clocks_stood_until integer not null default 0,
    lobby              blob
) strict;
create index matches_by_game_channel on matches (game_channel);
create index matches_by_lobby on matches (lobby_channel);
create index matches_by_status on matches (status);
create index matches_by_host on matches (host, status, opened_at);
create index matches_by_guild on matches (guild, status);

create table seats (
    match           integer not null references matches (number),
    seat            integer not null,
    name            text    not null,
    user            integer,
    computer        text,
    direct_messages text    not null,
    substitute      text,
    substitute_only_turn integer,
    substituted_since integer,
    substitute_spans blob,
    away_until      integer,
    resigned        integer not null default 0,
    earlier         blob,
    cut_words       blob,
    offer           blob,
    blocked_offers     blob,
    clock           blob,
    primary key (match, seat)
) strict, without rowid;
create index seats_by_user on seats (user);

create table records (
    match  integer not null references matches (number),
    ply    integer not null,
    actor  integer not null,
    action text    not null,
    auto   integer not null,
    user   integer,
    at     integer not null,
    primary key (match, ply)
) strict, without rowid;
create trigger records_only_grow_update before update on records
when new.user is not null or (old.match, old.ply, old.actor, old.action, old.auto, old.at)
    is not (new.match, new.ply, new.actor, new.action, new.auto, new.at) begin
    select raise(abort, 'records only grow');
end;
create trigger records_only_grow_delete before delete on records begin
    select raise(abort, 'records only grow');
end;

create table inbox (
    interaction integer primary key,
    match       integer not null references matches (number),
    ply         integer not null,
    answer       text    not null,
    at          integer not null
) strict;
create index inbox_by_record on inbox (match, ply);

create table unanswered (
    interaction integer primary key references inbox (interaction) on delete cascade,
    user        integer not null,
    move_number integer
) strict;

create table outbox (
    id       integer primary key autoincrement,
    match    integer not null references matches (number),
    ply      integer not null,
    kind     text    not null,
    seat     integer,
    key      integer,
    text     text    not null,
    at       integer not null,
    state    text    not null default 'waiting',
    attempts integer not null default 0,
    due      real    not null default 0,
    reason   text    not null default '',
    pending_channel integer,
    pending_since   real
) strict;
create index outbox_waiting on outbox (match, id) where state = 'waiting';
create index outbox_by_match on outbox (match, state, ply);

create table posted_messages (
    match     integer not null references matches (number),
    kind      text    not null,
    seat      integer,
    key       integer,
    channel   integer not null,
    message   integer not null,
    ply       integer not null,
    posted_at real    not null,
    mentioned_user integer,
    mentions  blob,
    shown_turn_start integer,
    is_outdated integer not null default 0
) strict;
create unique index posted_messages_by_slot on posted_messages
    (match, kind, coalesce(seat, -1), coalesce(key, -1));

create table results (
    id       integer primary key,
    match    integer not null unique references matches (number),
    game     text    not null,
    guild    integer,
    ended_at integer not null,
    unrated_reason text
) strict;
create index results_by_game on results (game, id);
create index results_by_guild on results (guild, id);

create table result_players (
    match    integer not null references results (match),
    seat     integer not null,
    participation text not null,
    name     text    not null,
    place    integer not null,
    score    integer,
    user     integer,
    computer text,
    misses   integer not null default 0,
    primary key (match, seat, participation)
) strict, without rowid;
create index result_players_by_user on result_players (user);

create table timers (
    match integer not null references matches (number),
    kind  text    not null,
    due   integer not null,
    primary key (match, kind)
) strict, without rowid;
create index timers_by_due on timers (due);

create table audit_log (
    id    integer primary key,
    match integer not null references matches (number),
    ply   integer not null,
    user  integer,
    entry text    not null,
    at    integer not null
) strict;
create index audit_log_by_user on audit_log (user);
create index audit_log_by_match on audit_log (match);

create table settings (
    key   text primary key,
    value text not null
) strict, without rowid;

create table people (
    user        integer primary key,
    preferences blob not null
) strict;

create table servers (
    guild       integer primary key,
    preferences blob not null
) strict;

create table server_audit_log (
    id    integer primary key,
    guild integer not null,
    user  integer,
    entry text    not null,
    at    integer not null
) strict;
create index server_audit_log_by_guild on server_audit_log (guild, id);
create index server_audit_log_by_user on server_audit_log (user);
