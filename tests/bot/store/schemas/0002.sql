BEGIN TRANSACTION;
CREATE TABLE inbox (
    interaction integer primary key,
    match       integer not null references matches (number),
    ply         integer not null,
    reply       text    not null,
    at          integer not null
) strict;
INSERT INTO "inbox" VALUES(1000000,1,0,'Table No. 1 is open. Friends press **Join**; you press **Start** when all are in.',1790000000);
INSERT INTO "inbox" VALUES(1000001,1,0,'You are in: seat 2 of table No. 1.',1790000000);
INSERT INTO "inbox" VALUES(1000003,1,3,'The game begins.',1790000000);
INSERT INTO "inbox" VALUES(1000004,1,4,'Already recorded as move 1.',1790000000);
INSERT INTO "inbox" VALUES(1000005,1,5,'Already recorded as move 2.',1790000000);
INSERT INTO "inbox" VALUES(1000006,1,6,'Already recorded as move 3.',1790000000);
INSERT INTO "inbox" VALUES(1000007,1,9,'Already recorded as move 4.',1790000000);
INSERT INTO "inbox" VALUES(1000008,1,11,'Already recorded as move 5.',1790000000);
INSERT INTO "inbox" VALUES(1000009,1,13,'Already recorded as move 6.',1790000000);
INSERT INTO "inbox" VALUES(1000010,1,15,'Already recorded as move 7.',1790000000);
INSERT INTO "inbox" VALUES(1000011,1,17,'Already recorded as move 8.',1790000000);
INSERT INTO "inbox" VALUES(1000012,1,19,'Already recorded as move 9.',1790000000);
INSERT INTO "inbox" VALUES(1000013,1,21,'Already recorded as move 10.',1790000000);
INSERT INTO "inbox" VALUES(1000015,1,21,'Others have moved or seen something since, so Ben must agree. They have been asked.',1790000000);
INSERT INTO "inbox" VALUES(1000017,1,23,'Already recorded as move 11.',1790000000);
INSERT INTO "inbox" VALUES(1000018,1,25,'Already recorded as move 12.',1790000000);
INSERT INTO "inbox" VALUES(1000019,1,27,'Already recorded as move 13.',1790000000);
INSERT INTO "inbox" VALUES(1000020,2,0,'Table No. 2 is open. Friends press **Join**; you press **Start** when all are in.',1790000000);
INSERT INTO "inbox" VALUES(1000021,2,0,'You are in: seat 2 of table No. 2.',1790000000);
INSERT INTO "inbox" VALUES(1000023,2,0,'You are in: seat 3 of table No. 2.',1790000000);
INSERT INTO "inbox" VALUES(1000025,2,0,'You are in: seat 4 of table No. 2.',1790000000);
INSERT INTO "inbox" VALUES(1000027,2,4,'The game begins.',1790000000);
INSERT INTO "inbox" VALUES(1000028,2,5,'Already recorded as move 1.',1790000000);
INSERT INTO "inbox" VALUES(1000029,2,6,'Already recorded as move 2.',1790000000);
INSERT INTO "inbox" VALUES(1000030,2,7,'Already recorded as move 3.',1790000000);
INSERT INTO "inbox" VALUES(1000031,2,9,'Already recorded as move 4.',1790000000);
INSERT INTO "inbox" VALUES(1000032,2,10,'Already recorded as move 5.',1790000000);
INSERT INTO "inbox" VALUES(1000033,2,11,'Already recorded as move 6.',1790000000);
INSERT INTO "inbox" VALUES(1000034,2,12,'Already recorded as move 7.',1790000000);
INSERT INTO "inbox" VALUES(1000035,2,15,'Already recorded as move 8.',1790000000);
INSERT INTO "inbox" VALUES(1000036,2,16,'Already recorded as move 9.',1790000000);
INSERT INTO "inbox" VALUES(1000037,2,17,'Already recorded as move 10.',1790000000);
INSERT INTO "inbox" VALUES(1000038,2,21,'Already recorded as move 11.',1790000000);
INSERT INTO "inbox" VALUES(1000039,3,0,'Table No. 3 is open. Friends press **Join**; you press **Start** when all are in.',1790000000);
INSERT INTO "inbox" VALUES(1000040,3,0,'You are in: seat 2 of table No. 3.',1790000000);
INSERT INTO "inbox" VALUES(1000042,3,0,'You are in: seat 3 of table No. 3.',1790000000);
INSERT INTO "inbox" VALUES(1000044,3,0,'You are in: seat 4 of table No. 3.',1790000000);
INSERT INTO "inbox" VALUES(1000046,3,4,'The game begins.',1790000000);
INSERT INTO "inbox" VALUES(1000047,3,5,'Already recorded as move 1.',1790000000);
INSERT INTO "inbox" VALUES(1000048,3,5,'Ava paused the game.',1790000000);
INSERT INTO "inbox" VALUES(1000050,4,0,'Table No. 4 is open. Friends press **Join**; you press **Start** when all are in.',1790000000);
CREATE TABLE interventions (
    id    integer primary key,
    match integer not null references matches (number),
    ply   integer not null,
    user  integer,
    deed  text    not null,
    at    integer not null
) strict;
INSERT INTO "interventions" VALUES(1,3,5,100,'Ava paused the game.',1790000000);
CREATE TABLE matches (
    number        integer primary key,
    game          text    not null,
    rules_version integer not null,
    options       text    not null,
    status        text    not null,
    host          integer not null,
    guild         integer,
    lobby_channel integer not null,
    home          integer not null,
    seed          blob    not null,
    opened_at     integer not null,
    version       integer not null,
    ply           integer not null,
    snapshot      blob,
    undo_request  blob
, generation  integer not null default 0, restored_to integer) strict;
INSERT INTO "matches" VALUES(1,'currents',1,'','playing',100,7,50,50,X'F5B165224A58B791DF6AF1D8303E61CDC4BB86C3D1C427103C344C4189EB2F1E',1790000000,17,27,X'9283A57461626C65DE0013A76F7074696F6E7388A5626F617264A6737175617265A66A6F6B657273C2AB77696C645F6A6F6B657273A7636F6D70617373AA656173795F7573757270C2A5636F6D626FC2A96F62737461636C6573A36F6666AC66697273745F706C61796572A672616E646F6DA87475726E5F636170CD012CA5736561747302A57068617365A4706C6179A6746F5F61637401AE63757272656E745F706C6179657201AC66697273745F706C6179657200A461786973A24557A47475726E0AA46163657390A7636F6D7061737394A23953A24148A23448A24144A863757272656E7473DC0010A3313048C0C0C0A23344C0C0C0C0C0A23553C0C0C0C0C0AC646973636172645F70696C6596A24153A24143A3313044A25153A23244A24B44A9647261775F70696C6520A568616E6473920304A47061776E920403A6746172676574C0A5657869747390A677696E6E6572C0A5747261696C9183A56576656E74A56465616C74A47365617401A5636F756E7401A568616E64739293A23543A23743A2335394A23343A3313043A23548A24B53A472657374DC0020A23243A23443A23643A23843A23943A24A43A25143A24B43A23444A23544A23644A23744A23844A23944A24A44A25144A23248A23348A23648A23748A23848A23948A24A48A25148A24B48A23253A23453A23653A23753A23853A3313053A24A539384A56576656E74A7636F6D70617373A5706C616365A14EA463617264A23953A87265706C61636564A24B4482A56576656E74A764726966746564A4706174689292040492040383A56576656E74A56465616C74A47365617401A5636F756E7401',NULL,0,NULL);
INSERT INTO "matches" VALUES(2,'pearls',1,'','over',100,7,50,50,X'433D2E44FED8B6B8357E44CD3129903AC1D45597A242FDF11F8F2B1A39F3C3E6',1790000000,16,21,X'9284A57461626C658AA76F7074696F6E7382A777656174686572A46D696C64A57477696E73C3A57068617365A46F766572A47475726E03A568616E64739400000000A46C6169649492A139A2313291A2313593A23130A23131A2313490A66275726965649400000000A3647567949091A231339092A134A135A677617368656493A133A132A131A7676176655F7570C0A5747261696C9183A56576656E74A3647567A47365617403A6706561726C7392A134A135A568616E64739490909090A66275726965649490909090A373656193A136A137A1389482A56576656E74A6627572696564A4736561740383A56576656E74A6776173686564A668656967687403A46C6F73749083A56576656E74A3647567A47365617401A6706561726C7391A2313383A56576656E74A3647567A47365617403A6706561726C7392A134A135',NULL,0,NULL);
INSERT INTO "matches" VALUES(3,'pearls',1,'','paused',100,7,50,50,X'EF3F6DF0148DED7E8A34888D396CAB3B80D27F58DF111A3B3DF245ADA9080238',1790000000,7,5,X'9284A57461626C658AA76F7074696F6E7382A777656174686572A46D696C64A57477696E73C3A57068617365A464697665A47475726E01A568616E64739402030303A46C6169649490909090A66275726965649401000000A36475679490909090A677617368656490A7676176655F7570C0A5747261696C9182A56576656E74A6627572696564A47365617400A568616E64739492A138A2313493A134A23131A2313393A131A135A2313293A133A136A137A66275726965649491A139909090A373656193A132A23130A231359182A56576656E74A6627572696564A47365617400',NULL,0,NULL);
INSERT INTO "matches" VALUES(4,'currents',1,'','lobby',100,7,50,50,X'F74AC6F3AA202F4AD9892FED75598005BAC48A6A9E826BD6F0A890EA47CA738E',1790000000,1,0,NULL,NULL,0,NULL);
CREATE TABLE outbox (
    id       integer primary key autoincrement,
    match    integer not null references matches (number),
    ply      integer not null,
    kind     text    not null,
    slot     text    not null,
    text     text    not null,
    state    text    not null default 'waiting',
    attempts integer not null default 0,
    due      real    not null default 0,
    reason   text    not null default ''
) strict;
INSERT INTO "outbox" VALUES(1,1,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(2,1,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(3,1,3,'lobby','lobby','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(4,1,3,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(5,1,3,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(6,1,3,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(7,1,4,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(8,1,4,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(9,1,4,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(10,1,5,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(11,1,5,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(12,1,6,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(13,1,6,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(14,1,6,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(15,1,9,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(16,1,9,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(17,1,11,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(18,1,11,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(19,1,11,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(20,1,13,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(21,1,13,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(22,1,13,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(23,1,15,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(24,1,15,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(25,1,15,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(26,1,17,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(27,1,17,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(28,1,17,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(29,1,19,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(30,1,19,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(31,1,19,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(32,1,21,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(33,1,21,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(34,1,21,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(35,1,21,'consent','consent','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(36,1,23,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(37,1,23,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(38,1,23,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(39,1,25,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(40,1,25,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(41,1,25,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(42,1,27,'board','board','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(43,1,27,'hand','hand:0','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(44,1,27,'hand','hand:1','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(45,2,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(46,2,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(47,2,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(48,2,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(49,2,4,'lobby','lobby','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(50,2,4,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(51,2,4,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(52,2,4,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(53,2,4,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(54,2,4,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(55,2,5,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(56,2,5,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(57,2,5,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(58,2,6,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(59,2,6,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(60,2,6,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(61,2,7,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(62,2,7,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(63,2,7,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(64,2,9,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(65,2,9,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(66,2,9,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(67,2,10,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(68,2,10,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(69,2,10,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(70,2,11,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(71,2,11,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(72,2,11,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(73,2,12,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(74,2,12,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(75,2,12,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(76,2,15,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(77,2,15,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(78,2,15,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(79,2,16,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(80,2,16,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(81,2,16,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(82,2,17,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(83,2,17,'hand','hand:2','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(84,2,17,'hand','hand:3','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(85,2,21,'board','board','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(86,2,21,'hand','hand:0','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(87,2,21,'hand','hand:1','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(88,2,21,'hand','hand:2','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(89,2,21,'hand','hand:3','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(90,2,21,'result','result','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(91,3,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(92,3,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(93,3,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(94,3,0,'lobby','lobby','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(95,3,4,'lobby','lobby','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(96,3,4,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(97,3,4,'hand','hand:0','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(98,3,4,'hand','hand:1','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(99,3,4,'hand','hand:2','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(100,3,4,'hand','hand:3','','sent',0,0.0,'');
INSERT INTO "outbox" VALUES(101,3,5,'board','board','','superseded',0,0.0,'');
INSERT INTO "outbox" VALUES(102,3,5,'hand','hand:0','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(103,3,5,'hand','hand:1','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(104,3,5,'notice','','Ava paused the game.','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(105,3,5,'board','board','','waiting',0,0.0,'');
INSERT INTO "outbox" VALUES(106,4,0,'lobby','lobby','','waiting',0,0.0,'');
CREATE TABLE records (
    match  integer not null references matches (number),
    ply    integer not null,
    actor  integer not null,
    action text    not null,
    auto   integer not null,
    user   integer,
    at     integer not null,
    primary key (match, ply)
) strict, without rowid;
INSERT INTO "records" VALUES(1,1,-1,'deal A 4H,3S,9S',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,2,-1,'deal B 3D,10D,5S',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,3,-1,'begin A',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,4,0,'axis EW',0,100,1790000000);
INSERT INTO "records" VALUES(1,5,1,'ace AS S',0,101,1790000000);
INSERT INTO "records" VALUES(1,6,1,'ace AH E',0,101,1790000000);
INSERT INTO "records" VALUES(1,7,0,'ace AD W',0,100,1790000000);
INSERT INTO "records" VALUES(1,8,0,'ace AC N',1,100,1790000000);
INSERT INTO "records" VALUES(1,9,-1,'deal A 10H',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,10,0,'compass 4H S',0,100,1790000000);
INSERT INTO "records" VALUES(1,11,-1,'deal B 5H',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,12,1,'current 3D E0',0,101,1790000000);
INSERT INTO "records" VALUES(1,13,-1,'deal A KD',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,14,0,'compass KD N',0,100,1790000000);
INSERT INTO "records" VALUES(1,15,-1,'deal B 2D',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,16,1,'discard 10D',0,101,1790000000);
INSERT INTO "records" VALUES(1,17,-1,'deal A QS',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,18,0,'current 10H N3',0,100,1790000000);
INSERT INTO "records" VALUES(1,19,-1,'deal B KS',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,20,1,'current 5S S2',0,101,1790000000);
INSERT INTO "records" VALUES(1,21,-1,'deal A 7C',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,22,0,'queen QS N0 N3',0,100,1790000000);
INSERT INTO "records" VALUES(1,23,-1,'deal B 3C',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,24,1,'discard 2D',0,101,1790000000);
INSERT INTO "records" VALUES(1,25,-1,'deal A 5C',0,NULL,1790000000);
INSERT INTO "records" VALUES(1,26,0,'compass 9S N',0,100,1790000000);
INSERT INTO "records" VALUES(1,27,-1,'deal B 10C',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,1,-1,'deal A 1,9,12',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,2,-1,'deal B 3,13,15',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,3,-1,'deal C 10,11,14',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,4,-1,'deal D 2,4,5',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,5,0,'lay 9,12',0,100,1790000000);
INSERT INTO "records" VALUES(2,6,1,'lay 3',0,101,1790000000);
INSERT INTO "records" VALUES(2,7,2,'lay 10',0,102,1790000000);
INSERT INTO "records" VALUES(2,8,3,'lay 2',0,103,1790000000);
INSERT INTO "records" VALUES(2,9,-1,'wave 8',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,10,0,'lay 1',0,100,1790000000);
INSERT INTO "records" VALUES(2,11,1,'bury 13',0,101,1790000000);
INSERT INTO "records" VALUES(2,12,2,'lay 14',0,102,1790000000);
INSERT INTO "records" VALUES(2,13,3,'bury 4',0,103,1790000000);
INSERT INTO "records" VALUES(2,14,-1,'wave 4',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,15,0,'rest',1,NULL,1790000000);
INSERT INTO "records" VALUES(2,16,1,'lay 15',0,101,1790000000);
INSERT INTO "records" VALUES(2,17,2,'lay 11',0,102,1790000000);
INSERT INTO "records" VALUES(2,18,3,'bury 5',0,103,1790000000);
INSERT INTO "records" VALUES(2,19,-1,'wave 3',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,20,-1,'dig B 13',0,NULL,1790000000);
INSERT INTO "records" VALUES(2,21,-1,'dig D 4,5',0,NULL,1790000000);
INSERT INTO "records" VALUES(3,1,-1,'deal A 8,9,14',0,NULL,1790000000);
INSERT INTO "records" VALUES(3,2,-1,'deal B 4,11,13',0,NULL,1790000000);
INSERT INTO "records" VALUES(3,3,-1,'deal C 1,5,12',0,NULL,1790000000);
INSERT INTO "records" VALUES(3,4,-1,'deal D 3,6,7',0,NULL,1790000000);
INSERT INTO "records" VALUES(3,5,0,'bury 9',0,100,1790000000);
CREATE TABLE schema_migrations (number integer primary key, checksum text not null, at text not null default current_timestamp) strict;
INSERT INTO "schema_migrations" VALUES(1,'0e2fb93607aed37fb7af6d51ae32049a16e7e45ef345637932e32bc838337d54','2026-11-21 17:10:02');
INSERT INTO "schema_migrations" VALUES(2,'140b7426fd94d34b751a28aaec1341da28f6713911d28bcc9bf4b5247ce630b7','2026-11-21 20:26:14');
CREATE TABLE seats (
    match           integer not null references matches (number),
    seat            integer not null,
    name            text    not null,
    user            integer,
    computer        text,
    direct_messages text    not null,
    primary key (match, seat)
) strict, without rowid;
INSERT INTO "seats" VALUES(1,0,'Ava',100,NULL,'open');
INSERT INTO "seats" VALUES(1,1,'Ben',101,NULL,'open');
INSERT INTO "seats" VALUES(2,0,'Ava',100,NULL,'open');
INSERT INTO "seats" VALUES(2,1,'Ben',101,NULL,'open');
INSERT INTO "seats" VALUES(2,2,'Chloé',102,NULL,'open');
INSERT INTO "seats" VALUES(2,3,'Dimitri',103,NULL,'open');
INSERT INTO "seats" VALUES(3,0,'Ava',100,NULL,'open');
INSERT INTO "seats" VALUES(3,1,'Ben',101,NULL,'open');
INSERT INTO "seats" VALUES(3,2,'Chloé',102,NULL,'open');
INSERT INTO "seats" VALUES(3,3,'Dimitri',103,NULL,'open');
INSERT INTO "seats" VALUES(4,0,'Ava',100,NULL,'open');
CREATE TABLE settings (
    key   text primary key,
    value text not null
) strict, without rowid;
INSERT INTO "settings" VALUES('commands','x');
CREATE TABLE surfaces (
    match     integer not null references matches (number),
    slot      text    not null,
    channel   integer not null,
    message   integer not null,
    ply       integer not null,
    posted_at real    not null,
    mentioned integer,
    primary key (match, slot)
) strict, without rowid;
INSERT INTO "surfaces" VALUES(1,'board',50,942,27,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(1,'consent',50,935,21,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(1,'lobby',50,903,3,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(2,'board',50,985,21,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(2,'hand:0',50,986,21,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(2,'lobby',50,949,4,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(3,'hand:2',50,999,4,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(3,'hand:3',50,1000,4,1790000000.0,NULL);
INSERT INTO "surfaces" VALUES(3,'lobby',50,995,4,1790000000.0,NULL);
CREATE TABLE timers (
    match integer not null references matches (number),
    kind  text    not null,
    due   integer not null,
    primary key (match, kind)
) strict, without rowid;
INSERT INTO "timers" VALUES(4,'lapse',1790086400);
CREATE INDEX matches_by_home on matches (home);
CREATE INDEX matches_by_lobby on matches (lobby_channel);
CREATE INDEX seats_by_user on seats (user);
CREATE TRIGGER records_only_grow_update before update on records begin
    select raise(abort, 'records only grow');
end;
CREATE TRIGGER records_only_grow_delete before delete on records begin
    select raise(abort, 'records only grow');
end;
CREATE INDEX outbox_waiting on outbox (match, id) where state = 'waiting';
CREATE INDEX timers_by_due on timers (due);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox',106);
COMMIT;
