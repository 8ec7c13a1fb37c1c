-- The tables on SQLite, as the migrations make them, with those of the simulated rack.
-- Written by `npm run generate`. The indexes that find texts derive from the kinds (src/kernel/trigram-index.ts).

create table access_token (
  id text not null,
  token_hash text not null,
  device_code_hash text not null,
  client_id text not null,
  user_id text not null,
  time_created text not null,
  time_expires text,
  name text,
  projects text,
  created_address text,
  time_last_used text,
  last_used_address text,
  access text default 'full' not null,
  constraint access_token_pkey primary key (id)
);
create index access_token_created
  on access_token (user_id, time_created, id);
create unique index access_token_device
  on access_token (device_code_hash);
create index access_token_expiry
  on access_token (time_expires)
  where time_expires is not null;
create unique index access_token_hash
  on access_token (token_hash);
create unique index access_token_name
  on access_token (user_id, name)
  where name is not null;
create index access_token_user
  on access_token (user_id, id);

create table address_lot (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  time_deleted text,
  fleet_id text not null,
  kind text not null,
  constraint address_lot_pkey primary key (id)
);
create index address_lot_by_created
  on address_lot (fleet_id, time_created, id)
  where time_deleted is null;
create index address_lot_by_description
  on address_lot (fleet_id, description, id)
  where time_deleted is null;
create index address_lot_by_kind
  on address_lot (fleet_id, kind, id)
  where time_deleted is null;
create index address_lot_by_name
  on address_lot (fleet_id, name)
  where time_deleted is null;
create index address_lot_by_natural_name
  on address_lot (fleet_id, name_key, id)
  where time_deleted is null;
create unique index address_lot_name
  on address_lot (name)
  where time_deleted is null;
create index address_lot_search
  on address_lot (fleet_id, name, description, kind, time_deleted, id)
  where time_deleted is null and name <> '';

create table address_lot_block (
  id text not null,
  address_lot_id text not null,
  first_address text not null,
  last_address text not null,
  first_key text not null,
  last_key text not null,
  constraint address_lot_block_pkey primary key (id)
);
create index address_lot_block_lot
  on address_lot_block (address_lot_id, id);

create table address_space (
  id text not null,
  constraint address_space_pkey primary key (id)
);

create table affinity_group (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  project_id text not null,
  kind text not null,
  policy text not null,
  failure_domain text not null,
  name_key text,
  constraint affinity_group_pkey primary key (id)
);
create index affinity_group_by_created
  on affinity_group (project_id, kind, time_created, id)
  where time_deleted is null;
create index affinity_group_by_description
  on affinity_group (project_id, kind, description, id)
  where time_deleted is null;
create index affinity_group_by_natural_name
  on affinity_group (project_id, kind, name_key)
  where time_deleted is null;
create index affinity_group_by_policy
  on affinity_group (project_id, kind, policy, id)
  where time_deleted is null;
create index affinity_group_deleted
  on affinity_group (time_deleted)
  where time_deleted is not null;
create index affinity_group_found
  on affinity_group (name)
  where time_deleted is null;
create index affinity_group_id
  on affinity_group (project_id, kind, id)
  where time_deleted is null;
create unique index affinity_group_name
  on affinity_group (project_id, kind, name)
  where time_deleted is null;
create index affinity_group_search
  on affinity_group (project_id, kind, name, description, policy, time_deleted, id)
  where time_deleted is null and name <> '';

create table affinity_group_member (
  group_id text not null,
  instance_id text not null,
  constraint affinity_group_member_pkey primary key (group_id, instance_id)
);
create index affinity_group_member_instance
  on affinity_group_member (instance_id);

create table alert (
  id text not null,
  fleet_id text not null,
  name text not null,
  version int not null,
  payload text not null,
  words text not null,
  time_created text not null,
  constraint alert_pkey primary key (id)
);
create index alert_by_class
  on alert (fleet_id, name, id);
create index alert_by_created
  on alert (fleet_id, time_created, id);
create index alert_search
  on alert (fleet_id, name, words, time_created, id)
  where name <> '';

create table alert_delivery (
  id text not null,
  receiver_id text not null,
  alert_id text not null,
  name text not null,
  trigger text not null,
  state text not null,
  time_started text not null,
  time_next_attempt text,
  attempts text not null,
  constraint alert_delivery_pkey primary key (id)
);
create index alert_delivery_alert
  on alert_delivery (alert_id, time_started, id);
create index alert_delivery_by_time
  on alert_delivery (time_started, id);
create index alert_delivery_due
  on alert_delivery (receiver_id, time_next_attempt)
  where state = 'pending';
create index alert_delivery_receiver
  on alert_delivery (receiver_id, time_started, id);
create index alert_delivery_state
  on alert_delivery (receiver_id, state, time_started, id);

create table alert_receiver (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  fleet_id text not null,
  time_deleted text,
  endpoint text not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  constraint alert_receiver_pkey primary key (id)
);
create index alert_receiver_by_created
  on alert_receiver (fleet_id, time_created, id)
  where time_deleted is null;
create index alert_receiver_by_description
  on alert_receiver (fleet_id, description, id)
  where time_deleted is null;
create index alert_receiver_by_endpoint
  on alert_receiver (fleet_id, endpoint, id)
  where time_deleted is null;
create index alert_receiver_by_name
  on alert_receiver (fleet_id, name)
  where time_deleted is null;
create index alert_receiver_by_natural_name
  on alert_receiver (fleet_id, name_key, id)
  where time_deleted is null;
create index alert_receiver_due
  on alert_receiver (reconcile_at)
  where reconcile_at is not null;
create index alert_receiver_failing
  on alert_receiver (time_step_failed)
  where step_failures >= 10;
create index alert_receiver_leased
  on alert_receiver (lease_until)
  where lease_until is not null;
create unique index alert_receiver_name
  on alert_receiver (name)
  where time_deleted is null;
create index alert_receiver_search
  on alert_receiver (fleet_id, name, description, endpoint, time_deleted, id)
  where time_deleted is null and name <> '';

create table alert_rule (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  project_id text,
  fleet_id text,
  query text not null,
  comparison text not null,
  threshold text,
  duration int not null,
  units text,
  severity text not null,
  enabled int not null,
  state text not null,
  time_state_updated text not null,
  time_evaluated text,
  problem text,
  series int not null,
  firing int not null,
  pending int not null,
  time_watched text not null,
  time_due text,
  revision bigint not null,
  tag_filter text,
  constraint alert_rule_pkey primary key (id)
);
create index alert_rule_by_created
  on alert_rule (project_id, time_created, id)
  where project_id is not null;
create index alert_rule_by_description
  on alert_rule (project_id, description, id)
  where project_id is not null;
create index alert_rule_by_natural_name
  on alert_rule (project_id, name_key, id)
  where project_id is not null;
create index alert_rule_by_severity
  on alert_rule (project_id, severity, id)
  where project_id is not null;
create index alert_rule_by_state
  on alert_rule (project_id, state, id)
  where project_id is not null;
create index alert_rule_due
  on alert_rule (time_due)
  where time_due is not null;
create index alert_rule_failing
  on alert_rule (time_state_updated)
  where problem is not null;
create index alert_rule_firing_now
  on alert_rule (time_state_updated)
  where firing > 0;
create unique index alert_rule_name
  on alert_rule (project_id, name)
  where project_id is not null;
create index alert_rule_search
  on alert_rule (project_id, name, description, state, severity, time_created, id)
  where project_id is not null and name <> '';
create index system_alert_rule_by_created
  on alert_rule (fleet_id, time_created, id)
  where fleet_id is not null;
create index system_alert_rule_by_description
  on alert_rule (fleet_id, description, id)
  where fleet_id is not null;
create index system_alert_rule_by_natural_name
  on alert_rule (fleet_id, name_key, id)
  where fleet_id is not null;
create index system_alert_rule_by_severity
  on alert_rule (fleet_id, severity, id)
  where fleet_id is not null;
create index system_alert_rule_by_state
  on alert_rule (fleet_id, state, id)
  where fleet_id is not null;
create unique index system_alert_rule_name
  on alert_rule (fleet_id, name)
  where fleet_id is not null;
create index system_alert_rule_search
  on alert_rule (fleet_id, name, description, state, severity, time_created, id)
  where fleet_id is not null and name <> '';

create table alert_rule_firing (
  id text not null,
  rule_id text not null,
  series_key text not null,
  fields text not null,
  instance_id text,
  disk_id text,
  time_since text not null,
  time_fired text not null,
  time_resolved text,
  resolution text,
  value text,
  constraint alert_rule_firing_pkey primary key (id)
);
create index alert_rule_firing_disk
  on alert_rule_firing (disk_id)
  where time_resolved is null and disk_id is not null;
create index alert_rule_firing_instance
  on alert_rule_firing (instance_id)
  where time_resolved is null and instance_id is not null;
create unique index alert_rule_firing_open
  on alert_rule_firing (rule_id, series_key)
  where time_resolved is null;
create index alert_rule_firing_over
  on alert_rule_firing (time_resolved)
  where time_resolved is not null;
create index alert_rule_firing_rule
  on alert_rule_firing (rule_id, time_fired, id);

create table alert_rule_state (
  rule_id text not null,
  series text not null,
  evaluated_to bigint not null,
  constraint alert_rule_state_pkey primary key (rule_id)
);

create table alert_subscription (
  receiver_id text not null,
  subscription text not null,
  constraint alert_subscription_pkey primary key (receiver_id, subscription)
);

create table allow_list (
  id text not null,
  allowed_ips text not null,
  time_created text not null,
  time_modified text not null,
  constraint allow_list_pkey primary key (id)
);

create table audit_log (
  time_completed text not null,
  id text not null,
  time_started text not null,
  request_id text not null,
  request_uri text not null,
  operation_id text not null,
  source_ip text not null,
  user_agent text,
  auth_method text,
  credential_id text,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  actor_silo_id text,
  silo_id text,
  project_id text,
  target_kind text,
  target_id text,
  target_name text,
  job_id text,
  result text not null,
  status int,
  error_code text,
  error_message text,
  facts text,
  constraint audit_log_pkey primary key (time_completed, id)
);
create index audit_log_actor_id
  on audit_log (actor_id, time_completed, id);
create index audit_log_project
  on audit_log (project_id, time_completed, id)
  where project_id is not null;
create index audit_log_silo_id
  on audit_log (silo_id, time_completed, id);
create index audit_log_target_id
  on audit_log (target_id, time_completed, id);

create table audit_log_thing (
  time_completed text not null,
  entry_id text not null,
  thing_id text not null,
  constraint audit_log_thing_pkey primary key (time_completed, entry_id, thing_id)
);
create index audit_log_thing_thing
  on audit_log_thing (thing_id, time_completed, entry_id);

create table bfd_session (
  id text not null,
  fleet_id text not null,
  switch_slot text not null,
  remote text not null,
  local text,
  detection_threshold int not null,
  required_rx bigint not null,
  mode text not null,
  time_created text not null,
  constraint bfd_session_pkey primary key (id)
);
create unique index bfd_session_remote
  on bfd_session (switch_slot, remote);

create table bgp_announce_set (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  time_deleted text,
  fleet_id text not null,
  constraint bgp_announce_set_pkey primary key (id)
);
create index bgp_announce_set_by_created
  on bgp_announce_set (fleet_id, time_created, id)
  where time_deleted is null;
create index bgp_announce_set_by_description
  on bgp_announce_set (fleet_id, description, id)
  where time_deleted is null;
create index bgp_announce_set_by_name
  on bgp_announce_set (fleet_id, name)
  where time_deleted is null;
create index bgp_announce_set_by_natural_name
  on bgp_announce_set (fleet_id, name_key, id)
  where time_deleted is null;
create unique index bgp_announce_set_name
  on bgp_announce_set (name)
  where time_deleted is null;
create index bgp_announce_set_search
  on bgp_announce_set (fleet_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table bgp_announcement (
  announce_set_id text not null,
  address_lot_block_id text not null,
  network text not null,
  first_key text not null,
  constraint bgp_announcement_pkey primary key (announce_set_id, network)
);
create index bgp_announcement_block
  on bgp_announcement (address_lot_block_id);

create table bgp_config (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  time_deleted text,
  fleet_id text not null,
  asn bigint not null,
  bgp_announce_set_id text not null,
  vrf text,
  max_paths int not null,
  constraint bgp_config_pkey primary key (id)
);
create index bgp_config_announce_set
  on bgp_config (bgp_announce_set_id);
create unique index bgp_config_asn
  on bgp_config (fleet_id, asn)
  where time_deleted is null;
create index bgp_config_by_created
  on bgp_config (fleet_id, time_created, id)
  where time_deleted is null;
create index bgp_config_by_description
  on bgp_config (fleet_id, description, id)
  where time_deleted is null;
create index bgp_config_by_name
  on bgp_config (fleet_id, name)
  where time_deleted is null;
create index bgp_config_by_natural_name
  on bgp_config (fleet_id, name_key, id)
  where time_deleted is null;
create unique index bgp_config_name
  on bgp_config (name)
  where time_deleted is null;
create index bgp_config_search
  on bgp_config (fleet_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table bgp_peer (
  id text not null,
  port_settings_id text not null,
  link_name text not null,
  position int not null,
  bgp_config_id text not null,
  peer text not null,
  time_configured text not null,
  constraint bgp_peer_pkey primary key (id)
);
create index bgp_peer_config
  on bgp_peer (bgp_config_id);
create index bgp_peer_settings
  on bgp_peer (port_settings_id);

create table certificate (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  silo_id text not null,
  service text not null,
  cert text not null,
  key text not null,
  names text not null,
  time_starts text not null,
  time_ends text not null,
  constraint certificate_pkey primary key (id)
);
create index certificate_end
  on certificate (time_ends);
create unique index certificate_name
  on certificate (silo_id, name);

create table console_session (
  id text not null,
  token_hash text not null,
  user_id text not null,
  time_created text not null,
  time_last_used text not null,
  client_address text,
  user_agent text,
  time_expires text,
  oidc_provider_id text,
  oidc_subject text,
  oidc_session text,
  oidc_id_token text,
  constraint console_session_pkey primary key (id)
);
create index console_session_oidc
  on console_session (oidc_provider_id, oidc_subject, oidc_session)
  where oidc_provider_id is not null;
create unique index console_session_token
  on console_session (token_hash);
create index console_session_user
  on console_session (user_id);

create table damage (
  kind text not null,
  thing text not null,
  bytes bigint,
  time_found text not null,
  constraint damage_pkey primary key (kind, thing)
);

create table dashboard (
  id text not null,
  name text not null,
  description text not null,
  source text not null,
  user_id text,
  project_id text,
  silo_id text,
  charts text not null,
  time_created text not null,
  time_modified text not null,
  tag_keys text,
  constraint dashboard_pkey primary key (id)
);
create unique index dashboard_project_name
  on dashboard (project_id, source, name)
  where project_id is not null;
create unique index dashboard_silo_name
  on dashboard (silo_id, source, name)
  where silo_id is not null;
create unique index dashboard_user_name
  on dashboard (user_id, source, name)
  where user_id is not null;

create table deleted_resource (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  silo_id text not null,
  project_id text not null,
  kind text not null,
  inside text not null,
  size bigint not null,
  author_id text not null,
  author_name text not null,
  time_expires text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint deleted_resource_pkey primary key (id)
);
create index deleted_resource_by_author_name
  on deleted_resource (project_id, author_name, id);
create index deleted_resource_by_kind
  on deleted_resource (project_id, kind, id);
create index deleted_resource_by_name
  on deleted_resource (project_id, name, id);
create index deleted_resource_by_name_key
  on deleted_resource (project_id, name_key, id);
create index deleted_resource_by_size
  on deleted_resource (project_id, size, id);
create index deleted_resource_by_time_created
  on deleted_resource (project_id, time_created, id);
create index deleted_resource_by_time_expires
  on deleted_resource (project_id, time_expires, id);
create index deleted_resource_failing
  on deleted_resource (time_step_failed)
  where step_failures >= 10;
create index deleted_resource_found
  on deleted_resource (name);
create index deleted_resource_lease
  on deleted_resource (lease_until)
  where lease_until is not null;
create index deleted_resource_of_author
  on deleted_resource (author_id);
create index deleted_resource_of_silo
  on deleted_resource (silo_id, size);
create index deleted_resource_oldest
  on deleted_resource (time_created, id);
create index deleted_resource_oldest_of_silo
  on deleted_resource (silo_id, time_created, id);
create index deleted_resource_reconcile
  on deleted_resource (reconcile_at)
  where reconcile_at is not null;
create index deleted_resource_search
  on deleted_resource (project_id, name, description, author_name, kind, id)
  where name <> '';

create table deleted_row (
  resource_id text not null,
  position int not null,
  table_name text not null,
  before_row text not null,
  changed text,
  constraint deleted_row_pkey primary key (resource_id, position)
);

create table device_auth_request (
  user_code text not null,
  device_code_hash text not null,
  token_hash text not null,
  client_id text not null,
  ttl_seconds bigint,
  time_created text not null,
  constraint device_auth_request_pkey primary key (user_code)
);
create index device_auth_request_time
  on device_auth_request (time_created);

create table disk (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  project_id text not null,
  size bigint not null,
  block_size int not null,
  disk_type text not null,
  read_only int not null,
  snapshot_id text,
  image_id text,
  state text not null,
  instance_id text,
  slot int,
  importing int not null,
  has_volume int not null,
  generation int not null,
  reconcile_at text,
  lease_until bigint,
  fence int default 0 not null,
  name_key text,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  growing integer default 0 not null,
  rollback_snapshot_id text,
  storage_pool_id text,
  constraint disk_pkey primary key (id)
);
create index disk_by_created
  on disk (project_id, time_created, id)
  where time_deleted is null;
create index disk_by_description
  on disk (project_id, description, id)
  where time_deleted is null;
create index disk_by_natural_name
  on disk (project_id, name_key)
  where time_deleted is null;
create index disk_by_size
  on disk (project_id, size, id)
  where time_deleted is null;
create index disk_by_state
  on disk (project_id, state, id)
  where time_deleted is null;
create index disk_by_type
  on disk (project_id, disk_type, id)
  where time_deleted is null;
create index disk_deleted
  on disk (time_deleted)
  where time_deleted is not null;
create index disk_due
  on disk (reconcile_at)
  where reconcile_at is not null;
create index disk_failing
  on disk (time_step_failed)
  where step_failures >= 10;
create index disk_found
  on disk (name)
  where time_deleted is null;
create index disk_id
  on disk (project_id, id)
  where time_deleted is null;
create index disk_instance
  on disk (instance_id, name)
  where instance_id is not null;
create index disk_leased
  on disk (lease_until)
  where lease_until is not null;
create unique index disk_name
  on disk (project_id, name)
  where time_deleted is null;
create index disk_of_image
  on disk (image_id, name)
  where time_deleted is null and image_id is not null;
create index disk_of_snapshot
  on disk (snapshot_id, name)
  where time_deleted is null and snapshot_id is not null;
create index disk_search
  on disk (project_id, name, description, state, disk_type, id, time_deleted)
  where time_deleted is null and name <> '';
create index disk_storage_pool
  on disk (storage_pool_id)
  where storage_pool_id is not null;

create table disk_adoption_request (
  id text not null,
  fleet_id text not null,
  vendor text not null,
  model text not null,
  serial text not null,
  time_created text not null,
  constraint disk_adoption_request_pkey primary key (id)
);
create unique index disk_adoption_request_disk
  on disk_adoption_request (vendor, model, serial);

create table disk_conversion (
  disk_id text not null,
  format text,
  percent int not null,
  done int not null,
  problem text,
  constraint disk_conversion_disk_id_fkey foreign key (disk_id) references disk (id) on delete cascade,
  constraint disk_conversion_pkey primary key (disk_id)
);

create table disk_move (
  disk_id text not null,
  storage_pool_id text,
  percent int,
  problem text,
  cancelled int not null,
  constraint disk_move_disk_id_fkey foreign key (disk_id) references disk (id) on delete cascade,
  constraint disk_move_pkey primary key (disk_id)
);

create table disk_replica (
  disk_id text not null,
  physical_disk_id text not null,
  size bigint not null,
  state text not null,
  time_started text,
  time_repaired text,
  constraint disk_replica_pkey primary key (disk_id, physical_disk_id)
);
create index disk_replica_place
  on disk_replica (physical_disk_id, disk_id);
create index disk_replica_unready
  on disk_replica (state, time_repaired)
  where state <> 'ready';

create table dismissal (
  user_id text not null,
  id text not null,
  time_created text not null,
  constraint dismissal_pkey primary key (user_id, id),
  constraint dismissal_user_id_fkey foreign key (user_id) references silo_user (id) on delete cascade
);

create table ended_session (
  token_hash text not null,
  reason text not null,
  time_ended text not null,
  constraint ended_session_pkey primary key (token_hash)
);
create index ended_session_time
  on ended_session (time_ended);

create table endless_step (
  kind text not null,
  id text not null,
  fence int not null,
  server text not null,
  time_began text not null,
  constraint endless_step_pkey primary key (kind, id)
);

create table engine_fence (
  id text not null,
  fence bigint not null,
  time_seen bigint not null,
  constraint engine_fence_pkey primary key (id)
);

create table event (
  id integer primary key autoincrement,
  time text not null,
  resource text not null,
  action text not null,
  resource_id text not null,
  name text not null,
  silo_id text,
  project_id text,
  user_id text,
  tx bigint default 0 not null,
  author_id text,
  author_name text,
  author_silo_id text
);
create index event_time
  on event (time);

create table external_ip (
  id text not null,
  kind text not null,
  ip text not null,
  ip_key text not null,
  ip_pool_id text not null,
  project_id text not null,
  instance_id text,
  first_port int not null,
  last_port int not null,
  name text,
  description text,
  time_created text not null,
  time_modified text not null,
  name_key text,
  constraint external_ip_pkey primary key (id)
);
create unique index external_ip_address
  on external_ip (ip_pool_id, ip_key, first_port);
create index external_ip_found
  on external_ip (name)
  where name is not null;
create index external_ip_id
  on external_ip (project_id, id)
  where name is not null;
create index external_ip_instance
  on external_ip (instance_id);
create index external_ip_ip
  on external_ip (ip);
create index external_ip_kind
  on external_ip (project_id, kind);
create unique index external_ip_name
  on external_ip (project_id, name)
  where name is not null;
create index external_ip_project_ip
  on external_ip (project_id, ip);
create index floating_ip_by_created
  on external_ip (project_id, time_created, id)
  where name is not null;
create index floating_ip_by_description
  on external_ip (project_id, description, id)
  where name is not null;
create index floating_ip_by_instance
  on external_ip (project_id, coalesce(instance_id, ''), id)
  where name is not null;
create index floating_ip_by_ip
  on external_ip (project_id, ip_key, id)
  where name is not null;
create index floating_ip_by_natural_name
  on external_ip (project_id, name_key)
  where name is not null;
create index floating_ip_by_pool
  on external_ip (project_id, ip_pool_id, id)
  where name is not null;
create index floating_ip_search
  on external_ip (project_id, name, description, ip, coalesce(instance_id, ''), ip_pool_id, id)
  where name is not null and name <> '';

create table external_subnet (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  subnet text not null,
  ip text not null,
  first_key text not null,
  prefix_length int not null,
  subnet_pool_id text not null,
  subnet_pool_member_id text not null,
  project_id text not null,
  instance_id text,
  constraint external_subnet_pkey primary key (id)
);
create index external_subnet_by_created
  on external_subnet (project_id, time_created, id);
create index external_subnet_by_description
  on external_subnet (project_id, description, id);
create index external_subnet_by_instance
  on external_subnet (project_id, coalesce(instance_id, ''), id);
create unique index external_subnet_by_name_key
  on external_subnet (project_id, name_key);
create index external_subnet_by_pool
  on external_subnet (project_id, subnet_pool_id, id);
create index external_subnet_by_subnet
  on external_subnet (project_id, first_key, id);
create index external_subnet_found
  on external_subnet (name);
create index external_subnet_instance
  on external_subnet (instance_id);
create index external_subnet_ip
  on external_subnet (ip);
create index external_subnet_member
  on external_subnet (subnet_pool_member_id);
create unique index external_subnet_name
  on external_subnet (project_id, name);
create index external_subnet_pool
  on external_subnet (subnet_pool_id, prefix_length);
create index external_subnet_project_ip
  on external_subnet (project_id, ip);
create index external_subnet_search
  on external_subnet (project_id, name, description, subnet, coalesce(instance_id, ''), subnet_pool_id, ip, id)
  where name <> '';

create table free_address (
  space_id text not null,
  first_key text not null,
  last_key text not null,
  constraint free_address_pkey primary key (space_id, first_key),
  constraint free_address_space_id_fkey foreign key (space_id) references address_space (id) on delete cascade
) without rowid;

create table free_block (
  space_id text not null,
  first_key text not null,
  prefix_length int not null,
  constraint free_block_pkey primary key (space_id, first_key),
  constraint free_block_space_id_fkey foreign key (space_id) references address_space (id) on delete cascade
);
create index free_block_length
  on free_block (space_id, prefix_length, first_key);

create table free_snat (
  ip_pool_id text not null,
  ip_key text not null,
  first_port int not null,
  constraint free_snat_ip_pool_id_fkey foreign key (ip_pool_id) references address_space (id) on delete cascade,
  constraint free_snat_pkey primary key (ip_pool_id, ip_key, first_port)
) without rowid;

create table host (
  id text not null,
  fleet_id text not null,
  name text not null,
  name_key text not null,
  address text not null,
  next_address text,
  state text not null,
  check_due int not null,
  time_checked text,
  part text,
  serial text,
  sled_id text,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  reconcile_at text,
  lease_until bigint,
  step_failure text,
  time_step_failed text,
  findings text default '[]' not null,
  generation int default 0 not null,
  fence int default 0 not null,
  step_failures int default 0 not null,
  clock_ahead bigint,
  time_clock_apart text,
  constraint host_pkey primary key (id)
);
create unique index host_address
  on host (address)
  where time_deleted is null;
create index host_by_address
  on host (fleet_id, address, id)
  where time_deleted is null;
create index host_by_name
  on host (fleet_id, name, id)
  where time_deleted is null;
create index host_by_natural_name
  on host (fleet_id, name_key, id)
  where time_deleted is null;
create index host_by_state
  on host (fleet_id, state, id)
  where time_deleted is null;
create index host_by_time_created
  on host (fleet_id, time_created, id)
  where time_deleted is null;
create index host_clock_apart
  on host (time_clock_apart, id)
  where time_deleted is null and clock_ahead is not null;
create index host_failing
  on host (time_step_failed)
  where step_failures >= 10;
create index host_found
  on host (name)
  where time_deleted is null;
create unique index host_identity
  on host (serial, part)
  where time_deleted is null and serial is not null;
create index host_lease
  on host (lease_until)
  where lease_until is not null;
create index host_reconcile
  on host (reconcile_at)
  where reconcile_at is not null;
create index host_search
  on host (fleet_id, name, address, serial, state, time_deleted, id)
  where time_deleted is null and name <> '';

create table host_event (
  id text not null,
  host_id text not null,
  incident text not null,
  position int not null,
  kind text not null,
  detail text,
  instance_id text,
  instance_name text,
  sled text,
  time text not null,
  constraint host_event_pkey primary key (id)
);
create index host_event_by_time
  on host_event (time);
create index host_event_of_host
  on host_event (host_id, position);
create index host_event_of_incident
  on host_event (incident, position);
create index host_event_of_instance
  on host_event (instance_id, time)
  where instance_id is not null;

create table host_fencing (
  id text not null,
  method text not null,
  automatic int not null,
  address text,
  port int,
  user_name text,
  password text,
  system text,
  verify_certificate int not null,
  check_due int not null,
  time_checked text,
  checked text,
  state text not null,
  incident text,
  time_since text,
  hold text,
  calls int not null,
  requested int not null,
  failures int not null,
  failure text,
  remedy text,
  time_failed text,
  generation int not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint host_fencing_pkey primary key (id)
);
create index host_fencing_failing
  on host_fencing (time_step_failed)
  where step_failures >= 10;
create index host_fencing_lease
  on host_fencing (lease_until)
  where lease_until is not null;
create index host_fencing_reconcile
  on host_fencing (reconcile_at)
  where reconcile_at is not null;

create table image (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  silo_id text not null,
  project_id text,
  os text not null,
  version text not null,
  size bigint not null,
  block_size int not null,
  snapshot_id text,
  name_key text,
  constraint image_pkey primary key (id)
);
create index image_deleted
  on image (time_deleted)
  where time_deleted is not null;
create index image_found
  on image (name)
  where time_deleted is null;
create index image_project_by_created
  on image (project_id, time_created, id)
  where time_deleted is null and project_id is not null;
create index image_project_by_description
  on image (project_id, description, id)
  where time_deleted is null and project_id is not null;
create index image_project_by_natural_name
  on image (project_id, name_key)
  where time_deleted is null and project_id is not null;
create index image_project_by_os
  on image (project_id, os, id)
  where time_deleted is null and project_id is not null;
create index image_project_by_size
  on image (project_id, size, id)
  where time_deleted is null and project_id is not null;
create index image_project_by_version
  on image (project_id, version, id)
  where time_deleted is null and project_id is not null;
create index image_project_id
  on image (project_id, id)
  where time_deleted is null and project_id is not null;
create unique index image_project_name
  on image (project_id, name)
  where time_deleted is null and project_id is not null;
create index image_project_search
  on image (project_id, name, description, os, version, time_deleted, id)
  where time_deleted is null and project_id is not null and name <> '';
create index image_silo_by_created
  on image (silo_id, time_created, id)
  where time_deleted is null and project_id is null;
create index image_silo_by_description
  on image (silo_id, description, id)
  where time_deleted is null and project_id is null;
create index image_silo_by_natural_name
  on image (silo_id, name_key)
  where time_deleted is null and project_id is null;
create index image_silo_by_os
  on image (silo_id, os, id)
  where time_deleted is null and project_id is null;
create index image_silo_by_size
  on image (silo_id, size, id)
  where time_deleted is null and project_id is null;
create index image_silo_by_version
  on image (silo_id, version, id)
  where time_deleted is null and project_id is null;
create index image_silo_id
  on image (silo_id, id)
  where time_deleted is null and project_id is null;
create unique index image_silo_name
  on image (silo_id, name)
  where time_deleted is null and project_id is null;
create index image_silo_search
  on image (silo_id, name, description, os, version, time_deleted, project_id, id)
  where time_deleted is null and project_id is null and name <> '';
create index image_snapshot
  on image (snapshot_id)
  where snapshot_id is not null;

create table image_download (
  id text not null,
  name text not null,
  description text not null,
  os text not null,
  version text not null,
  project_id text not null,
  silo_id text not null,
  for_silo int not null,
  author_id text not null,
  url text not null,
  checksum text,
  block_size int,
  state text not null,
  disk_id text,
  snapshot_id text,
  size bigint,
  received bigint not null,
  furthest bigint not null,
  validator text,
  wanted text,
  attempts int not null,
  problem text,
  image_id text,
  time_created text not null,
  time_started text not null,
  time_finished text,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  token_id text,
  raw_disk integer default 1 not null,
  constraint image_download_pkey primary key (id)
);
create index image_download_failing
  on image_download (time_step_failed)
  where step_failures >= 10;
create index image_download_lease
  on image_download (lease_until)
  where lease_until is not null;
create index image_download_of_project
  on image_download (project_id, time_created, id);
create index image_download_of_silo
  on image_download (silo_id, state);
create index image_download_reconcile
  on image_download (reconcile_at)
  where reconcile_at is not null;

create table import_writer (
  disk_id text not null,
  server text not null,
  lease_until bigint not null,
  constraint import_writer_pkey primary key (disk_id, server)
);

create table instance (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  project_id text not null,
  ncpus int not null,
  memory bigint not null,
  hostname text not null,
  user_data text not null,
  run_state text not null,
  time_run_state_updated text not null,
  boot_disk_id text,
  auto_restart_policy text,
  time_last_auto_restarted text,
  cpu_platform text,
  enable_jumbo_frames int not null,
  start_wanted int not null,
  vm_id text,
  sled_id text,
  reboot_count int not null,
  generation int not null,
  reconcile_at text,
  lease_until bigint,
  fence int default 0 not null,
  last_vm_id text,
  failure text,
  restart_problem text,
  name_key text,
  destination_sled_id text,
  migration_id text,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  pause text,
  time_paused text,
  firmware text,
  nothing_to_boot integer default 0 not null,
  constraint instance_pkey primary key (id)
);
create index instance_by_created
  on instance (project_id, time_created, id)
  where time_deleted is null;
create index instance_by_description
  on instance (project_id, description, id)
  where time_deleted is null;
create index instance_by_memory
  on instance (project_id, memory, id)
  where time_deleted is null;
create index instance_by_natural_name
  on instance (project_id, name_key)
  where time_deleted is null;
create index instance_by_ncpus
  on instance (project_id, ncpus, id)
  where time_deleted is null;
create index instance_by_restarted
  on instance (project_id, coalesce(time_last_auto_restarted, ''), id)
  where time_deleted is null;
create index instance_by_state
  on instance (project_id, run_state, id)
  where time_deleted is null;
create index instance_by_state_updated
  on instance (project_id, time_run_state_updated, id)
  where time_deleted is null;
create index instance_deleted
  on instance (time_deleted)
  where time_deleted is not null;
create index instance_due
  on instance (reconcile_at)
  where reconcile_at is not null;
create index instance_failing
  on instance (time_step_failed)
  where step_failures >= 10;
create index instance_found
  on instance (name)
  where time_deleted is null;
create index instance_id
  on instance (project_id, id)
  where time_deleted is null;
create index instance_last_vm
  on instance (last_vm_id)
  where last_vm_id is not null;
create index instance_leased
  on instance (lease_until)
  where lease_until is not null;
create unique index instance_name
  on instance (project_id, name)
  where time_deleted is null;
create index instance_paused
  on instance (time_paused)
  where pause is not null;
create index instance_search
  on instance (project_id, name, description, run_state, id, time_deleted)
  where time_deleted is null and name <> '';
create index instance_sled
  on instance (sled_id, id)
  where sled_id is not null;
create index instance_unsettled
  on instance (time_run_state_updated)
  where time_deleted is null and run_state not in ('running', 'stopped', 'destroyed');
create unique index instance_vm
  on instance (vm_id)
  where vm_id is not null;

create table instance_clone (
  id text not null,
  instance_id text not null,
  name text not null,
  project_id text not null,
  source_id text not null,
  source_name text not null,
  source_project_id text not null,
  user_name text not null,
  state text not null,
  reason text,
  time_started text not null,
  time_finished text,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint instance_clone_pkey primary key (id)
);
create index instance_clone_failing
  on instance_clone (time_step_failed)
  where step_failures >= 10;
create index instance_clone_lease
  on instance_clone (lease_until)
  where lease_until is not null;
create index instance_clone_of_instance
  on instance_clone (instance_id);
create index instance_clone_of_project
  on instance_clone (project_id);
create index instance_clone_reconcile
  on instance_clone (reconcile_at)
  where reconcile_at is not null;

create table instance_clone_disk (
  clone_id text not null,
  disk_id text not null,
  snapshot_id text,
  temporary int not null,
  constraint instance_clone_disk_pkey primary key (clone_id, disk_id)
);

create table instance_move (
  id text not null,
  instance_id text not null,
  from_sled_id text not null,
  to_sled_id text not null,
  cause text not null,
  maintenance_id text,
  user_name text,
  state text not null,
  reason text,
  time_started text not null,
  time_finished text,
  bytes_total bigint,
  bytes_processed bigint,
  bytes_remaining bigint,
  bytes_per_second bigint,
  time_progress text,
  cancelled_by text,
  constraint instance_move_pkey primary key (id)
);
create index instance_move_by_from_sled_id
  on instance_move (from_sled_id, time_started, id);
create index instance_move_by_instance_id
  on instance_move (instance_id, time_started, id);
create index instance_move_by_to_sled_id
  on instance_move (to_sled_id, time_started, id);
create index instance_move_maintenance
  on instance_move (maintenance_id, state)
  where maintenance_id is not null;

create table instance_network (
  id text not null,
  instance_id text not null,
  project_id text not null,
  wanted text not null,
  generation int not null,
  applied text,
  applied_version int,
  time_applied text,
  endpoints text not null,
  not_enforced text not null,
  reconcile_at text,
  lease_until bigint,
  step_failure text,
  time_step_failed text,
  fence int default 0 not null,
  step_failures int default 0 not null,
  direct int default 0 not null,
  measured int default 0 not null,
  constraint instance_network_pkey primary key (id)
);
create index instance_network_failing
  on instance_network (time_step_failed)
  where step_failures >= 10;
create index instance_network_lease
  on instance_network (lease_until)
  where lease_until is not null;
create index instance_network_of_instance
  on instance_network (instance_id);
create index instance_network_reconcile
  on instance_network (reconcile_at)
  where reconcile_at is not null;

create table instance_ssh_key (
  instance_id text not null,
  ssh_key_id text not null,
  constraint instance_ssh_key_pkey primary key (instance_id, ssh_key_id)
);
create index instance_ssh_key_key
  on instance_ssh_key (ssh_key_id);

create table instance_template (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  silo_id text not null,
  project_id text,
  instance text not null,
  variables text not null,
  variable_count int not null,
  constraint instance_template_pkey primary key (id)
);
create index instance_template_found
  on instance_template (name);
create index instance_template_project_by_description
  on instance_template (project_id, description, id)
  where project_id is not null;
create index instance_template_project_by_natural_name
  on instance_template (project_id, name_key)
  where project_id is not null;
create index instance_template_project_by_time_created
  on instance_template (project_id, time_created, id)
  where project_id is not null;
create unique index instance_template_project_name
  on instance_template (project_id, name)
  where project_id is not null;
create index instance_template_project_search
  on instance_template (project_id, name, description, id)
  where project_id is not null and name <> '';
create index instance_template_silo_by_description
  on instance_template (silo_id, description, id)
  where project_id is null;
create index instance_template_silo_by_natural_name
  on instance_template (silo_id, name_key)
  where project_id is null;
create index instance_template_silo_by_time_created
  on instance_template (silo_id, time_created, id)
  where project_id is null;
create unique index instance_template_silo_name
  on instance_template (silo_id, name)
  where project_id is null;
create index instance_template_silo_search
  on instance_template (silo_id, name, description, project_id, id)
  where project_id is null and name <> '';

create table internet_gateway (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  vpc_id text not null,
  name_key text,
  constraint internet_gateway_pkey primary key (id)
);
create index internet_gateway_by_description
  on internet_gateway (vpc_id, description, id)
  where time_deleted is null;
create index internet_gateway_by_natural_name
  on internet_gateway (vpc_id, name_key)
  where time_deleted is null;
create index internet_gateway_by_time_created
  on internet_gateway (vpc_id, time_created, id)
  where time_deleted is null;
create index internet_gateway_deleted
  on internet_gateway (time_deleted)
  where time_deleted is not null;
create index internet_gateway_found
  on internet_gateway (name)
  where time_deleted is null;
create index internet_gateway_id
  on internet_gateway (vpc_id, id)
  where time_deleted is null;
create unique index internet_gateway_name
  on internet_gateway (vpc_id, name)
  where time_deleted is null;
create index internet_gateway_search
  on internet_gateway (vpc_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table internet_gateway_ip_address (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  internet_gateway_id text not null,
  address text not null,
  constraint internet_gateway_ip_address_pkey primary key (id)
);
create index internet_gateway_ip_address_deleted
  on internet_gateway_ip_address (time_deleted)
  where time_deleted is not null;
create unique index internet_gateway_ip_address_name
  on internet_gateway_ip_address (internet_gateway_id, name)
  where time_deleted is null;

create table internet_gateway_ip_pool (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  internet_gateway_id text not null,
  ip_pool_id text not null,
  constraint internet_gateway_ip_pool_pkey primary key (id)
);
create index internet_gateway_ip_pool_deleted
  on internet_gateway_ip_pool (time_deleted)
  where time_deleted is not null;
create index internet_gateway_ip_pool_id
  on internet_gateway_ip_pool (internet_gateway_id, id)
  where time_deleted is null;
create unique index internet_gateway_ip_pool_name
  on internet_gateway_ip_pool (internet_gateway_id, name)
  where time_deleted is null;

create table ip_pool (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  ip_version text not null,
  pool_type text not null,
  fleet_id text default '001de000-1334-4000-8000-000000000000' not null,
  assignment text default 'silos' not null,
  name_key text default '' not null,
  allocated bigint default 0 not null,
  constraint ip_pool_pkey primary key (id)
);
create index ip_pool_by_assignment
  on ip_pool (fleet_id, assignment, id)
  where time_deleted is null;
create index ip_pool_by_created
  on ip_pool (fleet_id, time_created, id)
  where time_deleted is null;
create index ip_pool_by_description
  on ip_pool (fleet_id, description, id)
  where time_deleted is null;
create index ip_pool_by_ip_version
  on ip_pool (fleet_id, ip_version, id)
  where time_deleted is null;
create index ip_pool_by_name
  on ip_pool (fleet_id, name)
  where time_deleted is null;
create index ip_pool_by_natural_name
  on ip_pool (fleet_id, name_key, id)
  where time_deleted is null;
create index ip_pool_by_pool_type
  on ip_pool (fleet_id, pool_type, id)
  where time_deleted is null;
create index ip_pool_deleted
  on ip_pool (time_deleted)
  where time_deleted is not null;
create unique index ip_pool_name
  on ip_pool (name)
  where time_deleted is null;
create index ip_pool_search
  on ip_pool (fleet_id, name, description, ip_version, pool_type, assignment, time_deleted, id)
  where time_deleted is null and name <> '';

create table ip_pool_range (
  id text not null,
  ip_pool_id text not null,
  first_key text not null,
  last_key text not null,
  time_created text not null,
  constraint ip_pool_range_pkey primary key (id)
);
create unique index ip_pool_range_first
  on ip_pool_range (ip_pool_id, first_key);

create table ip_pool_silo_link (
  ip_pool_id text not null,
  silo_id text not null,
  is_default int not null,
  constraint ip_pool_silo_link_pkey primary key (silo_id, ip_pool_id)
);
create index ip_pool_silo_link_pool
  on ip_pool_silo_link (ip_pool_id, silo_id);

create table job (
  id text not null,
  user_id text not null,
  action text not null,
  kind text not null,
  targets int not null,
  name text,
  project_id text,
  project_name text,
  state text not null,
  intent text,
  counts text,
  time_told text not null,
  untold int not null,
  time_created text not null,
  time_started text,
  time_finished text,
  time_deleted text,
  reconcile_at text,
  lease_until bigint,
  fence int default 0 not null,
  destroys integer default 0 not null,
  inside text default '' not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  token_id text,
  tags text,
  constraint job_pkey primary key (id)
);
create index job_due
  on job (reconcile_at)
  where reconcile_at is not null;
create index job_failing
  on job (time_step_failed)
  where step_failures >= 10;
create index job_leased
  on job (lease_until)
  where lease_until is not null;
create index job_of_user
  on job (user_id, time_created, id)
  where time_started is not null and time_deleted is null;

create table job_item (
  job_id text not null,
  position int not null,
  stage int not null,
  step text not null,
  thing_kind text not null,
  thing_id text not null,
  thing_name text not null,
  makes text,
  made_id text,
  state text not null,
  reason text,
  time_started text,
  time_finished text,
  needs_position integer,
  thing_inside text default '' not null,
  constraint job_item_pkey primary key (job_id, position)
);
create index job_item_state
  on job_item (job_id, state, position);

create table kysely_migration (
  name varchar(255) not null primary key,
  timestamp varchar(255) not null
);

create table kysely_migration_lock (
  id varchar(255) not null primary key,
  is_locked integer default 0 not null
);

create table lease (
  id text not null,
  token int not null,
  lease_until bigint not null,
  constraint lease_pkey primary key (id)
);

create table load (
  target_id text not null,
  time text not null,
  cpus double precision,
  disk_bytes double precision,
  network_bytes double precision,
  power double precision,
  requests double precision,
  cpus_provisioned double precision,
  constraint load_pkey primary key (target_id, time)
);
create index load_time
  on load (time);

create table loopback_address (
  id text not null,
  fleet_id text not null,
  rack_id text not null,
  switch_slot text not null,
  address text not null,
  address_lot_block_id text not null,
  anycast int not null,
  time_created text not null,
  constraint loopback_address_pkey primary key (id)
);
create unique index loopback_address_switch
  on loopback_address (rack_id, switch_slot, address);

create table multicast_group (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  fleet_id text not null,
  multicast_ip text not null,
  ip_key text not null,
  ip_version text not null,
  ip_pool_id text not null,
  state text not null,
  generation int not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  constraint multicast_group_pkey primary key (id)
);
create index multicast_group_by_created
  on multicast_group (fleet_id, time_created, id);
create unique index multicast_group_by_ip
  on multicast_group (fleet_id, ip_key);
create unique index multicast_group_by_name_key
  on multicast_group (fleet_id, name_key);
create index multicast_group_by_pool
  on multicast_group (fleet_id, ip_pool_id, id);
create index multicast_group_by_state
  on multicast_group (fleet_id, state, id);
create index multicast_group_by_version
  on multicast_group (fleet_id, ip_version, id);
create index multicast_group_failing
  on multicast_group (time_step_failed)
  where step_failures >= 10;
create index multicast_group_found
  on multicast_group (multicast_ip);
create index multicast_group_lease
  on multicast_group (lease_until)
  where lease_until is not null;
create unique index multicast_group_name
  on multicast_group (fleet_id, name);
create index multicast_group_pool
  on multicast_group (ip_pool_id, ip_key);
create index multicast_group_reconcile
  on multicast_group (reconcile_at)
  where reconcile_at is not null;
create index multicast_group_search
  on multicast_group (fleet_id, name, multicast_ip, ip_version, state, ip_pool_id, id)
  where name <> '';

create table multicast_group_member (
  id text not null,
  group_id text not null,
  instance_id text not null,
  source_ips text not null,
  state text not null,
  time_created text not null,
  time_modified text not null,
  constraint multicast_group_member_pkey primary key (group_id, instance_id)
);
create index multicast_group_member_in_group
  on multicast_group_member (group_id, id);
create index multicast_group_member_of_instance
  on multicast_group_member (instance_id, id);

create table network_interface (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  instance_id text not null,
  vpc_id text not null,
  subnet_id text not null,
  mac text not null,
  slot int not null,
  is_primary int not null,
  ipv4 text,
  ipv6 text,
  transit_ips_v4 text not null,
  transit_ips_v6 text not null,
  constraint network_interface_pkey primary key (id)
);
create index network_interface_found_ipv4
  on network_interface (ipv4)
  where ipv4 is not null;
create index network_interface_found_ipv6
  on network_interface (ipv6)
  where ipv6 is not null;
create index network_interface_found_mac
  on network_interface (mac)
  where mac is not null;
create unique index network_interface_ipv4
  on network_interface (subnet_id, ipv4)
  where ipv4 is not null;
create unique index network_interface_ipv6
  on network_interface (subnet_id, ipv6)
  where ipv6 is not null;
create unique index network_interface_mac
  on network_interface (vpc_id, mac);
create unique index network_interface_name
  on network_interface (instance_id, name);
create index network_interface_subnet
  on network_interface (subnet_id, instance_id);
create index network_interface_vpc_ipv4
  on network_interface (vpc_id, ipv4)
  where ipv4 is not null;
create index network_interface_vpc_ipv6
  on network_interface (vpc_id, ipv6)
  where ipv6 is not null;

create table note_version (
  thing_id text not null,
  version int not null,
  kind text not null,
  text text not null,
  author_id text,
  author_name text,
  author_silo_id text,
  time_modified text not null,
  constraint note_version_pkey primary key (thing_id, version)
);

create table notification (
  id text not null,
  issue text not null,
  kind text not null,
  topic text not null,
  severity text not null,
  facts text not null,
  fleet_id text,
  silo_id text,
  project_id text,
  state text not null,
  announced text not null,
  times int not null,
  changes int not null,
  sequence bigint not null,
  time text not null,
  time_held text,
  time_began text,
  time_resolved text,
  time_created text not null,
  constraint notification_pkey primary key (id)
);
create index notification_held
  on notification (time_held)
  where time_held is not null;
create index notification_in_silo
  on notification (silo_id, time, id)
  where project_id is not null;
create index notification_issue
  on notification (issue, time_created);
create index notification_of_fleet
  on notification (fleet_id, time, id)
  where fleet_id is not null;
create index notification_of_project
  on notification (project_id, time, id)
  where project_id is not null;
create index notification_of_silo
  on notification (silo_id, time, id)
  where project_id is null;
create unique index notification_open
  on notification (issue)
  where state = 'open';
create index notification_sequence
  on notification (sequence);
create index notification_time
  on notification (time);

create table notification_read (
  user_id text not null,
  notification_id text not null,
  time_read text not null,
  constraint notification_read_pkey primary key (user_id, notification_id)
);
create index notification_read_of
  on notification_read (notification_id);

create table notification_reader (
  user_id text not null,
  read_until text,
  topics text,
  confirmations int not null,
  confirmations_day text not null,
  constraint notification_reader_pkey primary key (user_id)
);

create table notification_subscription (
  id text not null,
  user_id text,
  project_id text,
  silo_id text not null,
  scope text not null,
  scope_project_id text,
  topics text not null,
  severity text not null,
  digest text not null,
  channel text not null,
  address text not null,
  room text,
  secret text,
  link_key text not null,
  time_confirmed text,
  time_asked text,
  wants_test int not null,
  sent_until bigint not null,
  attempts int not null,
  problem text,
  time_failed text,
  time_last_sent text,
  time_next_attempt text,
  time_created text not null,
  time_modified text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  daily_hour integer default 6 not null,
  daily_time_zone text default 'UTC' not null,
  constraint notification_subscription_pkey primary key (id)
);
create index notification_subscription_failing
  on notification_subscription (time_step_failed)
  where step_failures >= 10;
create index notification_subscription_lease
  on notification_subscription (lease_until)
  where lease_until is not null;
create index notification_subscription_of_project_id
  on notification_subscription (project_id)
  where project_id is not null;
create index notification_subscription_of_scope_project_id
  on notification_subscription (scope_project_id)
  where scope_project_id is not null;
create index notification_subscription_of_user_id
  on notification_subscription (user_id)
  where user_id is not null;
create index notification_subscription_reconcile
  on notification_subscription (reconcile_at)
  where reconcile_at is not null;
create index notification_subscription_unconfirmed
  on notification_subscription (time_created)
  where time_confirmed is null;
create index notification_subscription_undelivered
  on notification_subscription (time_failed)
  where time_failed is not null;

create table oidc_identity_provider (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  silo_id text not null,
  issuer text not null,
  client_id text not null,
  client_secret text,
  scopes text not null,
  user_claim text not null,
  display_name_claim text,
  groups_claim text,
  redirect_uri text not null,
  sign_out_at_provider integer default 0 not null,
  name_key text,
  commas_in_groups integer default 0 not null,
  last_sign_in text,
  constraint oidc_identity_provider_pkey primary key (id)
);
create index oidc_identity_provider_by_description
  on oidc_identity_provider (silo_id, description, id)
  where time_deleted is null;
create index oidc_identity_provider_by_natural_name
  on oidc_identity_provider (silo_id, name_key)
  where time_deleted is null;
create index oidc_identity_provider_by_time_created
  on oidc_identity_provider (silo_id, time_created, id)
  where time_deleted is null;
create index oidc_identity_provider_found
  on oidc_identity_provider (name)
  where time_deleted is null;
create unique index oidc_identity_provider_name
  on oidc_identity_provider (silo_id, name)
  where time_deleted is null;
create index oidc_identity_provider_search
  on oidc_identity_provider (silo_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table passkey (
  id text not null,
  user_id text not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  host text not null,
  transports text not null,
  synced int not null,
  time_created text not null,
  time_last_used text,
  constraint passkey_pkey primary key (id)
);
create unique index passkey_credential
  on passkey (credential_id);
create index passkey_user
  on passkey (user_id, time_created, id);

create table password_request (
  id text not null,
  silo_id text not null,
  user_name text not null,
  time_created text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint password_request_pkey primary key (id),
  constraint password_request_silo_id_fkey foreign key (silo_id) references silo (id) on delete cascade
);
create index password_request_failing
  on password_request (time_step_failed)
  where step_failures >= 10;
create index password_request_lease
  on password_request (lease_until)
  where lease_until is not null;
create index password_request_reconcile
  on password_request (reconcile_at)
  where reconcile_at is not null;

create table physical_disk (
  id text not null,
  fleet_id text not null,
  name text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  sled_id text not null,
  vendor text not null,
  model text not null,
  form_factor text not null,
  slot int not null,
  size bigint not null,
  used bigint not null,
  policy text not null,
  state text not null,
  healthy int not null,
  reclaimable bigint default 0 not null,
  constraint physical_disk_pkey primary key (id)
);
create index physical_disk_by_form_factor
  on physical_disk (fleet_id, form_factor, id);
create index physical_disk_by_model
  on physical_disk (fleet_id, model, id);
create index physical_disk_by_name
  on physical_disk (fleet_id, name, id);
create index physical_disk_by_name_key
  on physical_disk (fleet_id, name_key, id);
create index physical_disk_by_policy
  on physical_disk (fleet_id, policy, id);
create index physical_disk_by_size
  on physical_disk (fleet_id, size, id);
create index physical_disk_by_sled_id
  on physical_disk (fleet_id, sled_id, id);
create index physical_disk_by_slot
  on physical_disk (fleet_id, slot, id);
create index physical_disk_by_state
  on physical_disk (fleet_id, state, id);
create index physical_disk_by_time_created
  on physical_disk (fleet_id, time_created, id);
create index physical_disk_by_used
  on physical_disk (fleet_id, used, id);
create index physical_disk_by_vendor
  on physical_disk (fleet_id, vendor, id);
create index physical_disk_found
  on physical_disk (name);
create unique index physical_disk_identity
  on physical_disk (vendor, model, name)
  where policy = 'in_service';
create index physical_disk_search
  on physical_disk (fleet_id, name, model, vendor, id)
  where name <> '';
create index physical_disk_sled
  on physical_disk (sled_id, id);

create table probe (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  project_id text not null,
  sled_id text not null,
  interface_id text not null,
  vpc_id text not null,
  subnet_id text not null,
  mac text not null,
  ipv4 text not null,
  ipv6 text not null,
  ip text not null,
  ip_key text not null,
  ip_pool_id text not null,
  constraint probe_pkey primary key (id)
);
create unique index probe_address
  on probe (ip_pool_id, ip_key);
create index probe_by_created
  on probe (project_id, time_created, id);
create index probe_by_description
  on probe (project_id, description, id);
create index probe_by_ip
  on probe (project_id, ip_key, id);
create unique index probe_by_name_key
  on probe (project_id, name_key);
create index probe_by_pool
  on probe (project_id, ip_pool_id, id);
create index probe_by_sled
  on probe (project_id, sled_id, id);
create index probe_found
  on probe (name);
create index probe_found_interface_id
  on probe (interface_id);
create index probe_found_ip
  on probe (ip);
create index probe_found_ipv4
  on probe (ipv4);
create index probe_found_ipv6
  on probe (ipv6);
create index probe_found_mac
  on probe (mac);
create unique index probe_ipv4
  on probe (subnet_id, ipv4);
create unique index probe_ipv6
  on probe (subnet_id, ipv6);
create unique index probe_mac
  on probe (vpc_id, mac);
create unique index probe_name
  on probe (project_id, name);
create index probe_project_interface_id
  on probe (project_id, interface_id);
create index probe_project_ip
  on probe (project_id, ip);
create index probe_project_ipv4
  on probe (project_id, ipv4);
create index probe_project_ipv6
  on probe (project_id, ipv6);
create index probe_project_mac
  on probe (project_id, mac);
create index probe_search
  on probe (project_id, name, description, ip, ipv4, ipv6, ip_pool_id, sled_id, id)
  where name <> '';

create table project (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  silo_id text not null,
  name_key text,
  used_cpus bigint default 0 not null,
  used_memory bigint default 0 not null,
  used_storage bigint default 0 not null,
  constraint project_pkey primary key (id)
);
create index project_by_created
  on project (silo_id, time_created, id)
  where time_deleted is null;
create index project_by_description
  on project (silo_id, description, id)
  where time_deleted is null;
create index project_by_natural_name
  on project (silo_id, name_key)
  where time_deleted is null;
create index project_deleted
  on project (time_deleted)
  where time_deleted is not null;
create index project_id
  on project (silo_id, id)
  where time_deleted is null;
create unique index project_name
  on project (silo_id, name)
  where time_deleted is null;
create index project_search
  on project (silo_id, name, description, id, time_deleted)
  where time_deleted is null and name <> '';

create table provisioned (
  kind text not null,
  target_id text not null,
  time text not null,
  cpus bigint not null,
  memory bigint not null,
  storage bigint not null,
  constraint provisioned_pkey primary key (kind, target_id, time)
);
create index provisioned_time
  on provisioned (kind, time);

create table rack (
  id text not null,
  time_created text not null,
  time_modified text not null,
  fleet_id text default '001de000-1334-4000-8000-000000000000' not null,
  reconcile_at text,
  lease_until bigint,
  fence int default 0 not null,
  seen text default '{"sleds":[],"switches":[]}' not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  constraint rack_pkey primary key (id)
);
create index rack_failing
  on rack (time_step_failed)
  where step_failures >= 10;

create table rack_member (
  rack_id text not null,
  version int not null,
  part text not null,
  serial text not null,
  sled_id text not null,
  acknowledged int not null,
  constraint rack_member_pkey primary key (rack_id, version, serial)
);

create table rack_membership (
  rack_id text not null,
  version int not null,
  state text not null,
  time_created text not null,
  time_committed text,
  time_aborted text,
  constraint rack_membership_pkey primary key (rack_id, version)
);

create table rack_switch (
  id text not null,
  fleet_id text not null,
  name text not null,
  time_created text not null,
  time_modified text not null,
  rack_id text not null,
  slot text not null,
  part text not null,
  revision int not null,
  constraint rack_switch_pkey primary key (id)
);
create unique index rack_switch_slot
  on rack_switch (rack_id, slot);

create table recovery_code (
  digest text not null,
  user_id text not null,
  constraint recovery_code_pkey primary key (digest)
);
create index recovery_code_user
  on recovery_code (user_id);

create table reserved_address (
  id text not null,
  address_lot_block_id text not null,
  address_key text not null,
  address text not null,
  anycast int not null,
  holder text not null,
  holder_id text not null,
  constraint reserved_address_pkey primary key (id)
);
create index reserved_address_block
  on reserved_address (address_lot_block_id);
create index reserved_address_holder
  on reserved_address (holder, holder_id);
create index reserved_address_key
  on reserved_address (address_key);

create table role_assignment (
  resource_type text not null,
  resource_id text not null,
  identity_type text not null,
  identity_id text not null,
  role_name text not null,
  constraint role_assignment_pkey primary key (resource_type, resource_id, identity_id, role_name)
);
create index role_assignment_identity
  on role_assignment (identity_id);

create table router_route (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  vpc_router_id text not null,
  kind text not null,
  destination_type text default '' not null,
  destination_value text default '' not null,
  target_type text default '' not null,
  target_value text default '' not null,
  name_key text,
  destination_key text default '' not null,
  constraint router_route_pkey primary key (id)
);
create index router_route_by_description
  on router_route (vpc_router_id, description, id)
  where time_deleted is null;
create index router_route_by_destination_key
  on router_route (vpc_router_id, destination_key, id)
  where time_deleted is null;
create index router_route_by_kind
  on router_route (vpc_router_id, kind, id)
  where time_deleted is null;
create index router_route_by_natural_name
  on router_route (vpc_router_id, name_key)
  where time_deleted is null;
create index router_route_by_target_type
  on router_route (vpc_router_id, target_type, id)
  where time_deleted is null;
create index router_route_by_target_value
  on router_route (vpc_router_id, target_value, id)
  where time_deleted is null;
create index router_route_by_time_created
  on router_route (vpc_router_id, time_created, id)
  where time_deleted is null;
create index router_route_deleted
  on router_route (time_deleted)
  where time_deleted is not null;
create index router_route_found
  on router_route (name)
  where time_deleted is null;
create index router_route_id
  on router_route (vpc_router_id, id)
  where time_deleted is null;
create unique index router_route_name
  on router_route (vpc_router_id, name)
  where time_deleted is null;
create index router_route_search
  on router_route (vpc_router_id, name, description, destination_value, target_value, kind, target_type, time_deleted, id)
  where time_deleted is null and name <> '';

create table saml_identity_provider (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  silo_id text not null,
  idp_entity_id text not null,
  sp_client_id text not null,
  acs_url text not null,
  slo_url text not null,
  technical_contact_email text not null,
  group_attribute_name text,
  public_cert text,
  private_key text,
  idp_metadata text not null,
  sso_url text not null,
  idp_certificates text not null,
  idp_initiated int default 0 not null,
  name_key text,
  commas_in_groups integer default 0 not null,
  last_sign_in text,
  constraint saml_identity_provider_pkey primary key (id)
);
create index saml_identity_provider_by_description
  on saml_identity_provider (silo_id, description, id)
  where time_deleted is null;
create index saml_identity_provider_by_natural_name
  on saml_identity_provider (silo_id, name_key)
  where time_deleted is null;
create index saml_identity_provider_by_time_created
  on saml_identity_provider (silo_id, time_created, id)
  where time_deleted is null;
create index saml_identity_provider_found
  on saml_identity_provider (name)
  where time_deleted is null;
create unique index saml_identity_provider_name
  on saml_identity_provider (silo_id, name)
  where time_deleted is null;
create index saml_identity_provider_search
  on saml_identity_provider (silo_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table saml_spent (
  digest text not null,
  time_expires text not null,
  constraint saml_spent_pkey primary key (digest)
);
create index saml_spent_time
  on saml_spent (time_expires);

create table saved_view (
  id text not null,
  name text not null,
  list text not null,
  user_id text,
  project_id text,
  query text not null,
  columns text not null,
  position int not null,
  time_created text not null,
  time_modified text not null,
  constraint saved_view_pkey primary key (id)
);
create unique index saved_view_project_name
  on saved_view (project_id, list, name)
  where project_id is not null;
create unique index saved_view_user_name
  on saved_view (user_id, list, name)
  where user_id is not null;

create table schedule (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  project_id text not null,
  action text not null,
  cron text,
  time_zone text,
  time_once text,
  retention text,
  state text not null,
  author_id text not null,
  time_next text,
  time_last text,
  runs int not null,
  last_run_id text,
  last_result text,
  time_last_run text,
  failed_run int,
  failed_reason text,
  time_failed text,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  token_id text,
  constraint schedule_pkey primary key (id)
);
create index schedule_by_action
  on schedule (project_id, action, id);
create index schedule_by_description
  on schedule (project_id, description, id);
create index schedule_by_last_result
  on schedule (project_id, last_result, id);
create index schedule_by_name_key
  on schedule (project_id, name_key, id);
create index schedule_by_state
  on schedule (project_id, state, id);
create index schedule_by_time_created
  on schedule (project_id, time_created, id);
create index schedule_failed
  on schedule (time_failed)
  where time_failed is not null;
create index schedule_failing
  on schedule (time_step_failed)
  where step_failures >= 10;
create index schedule_found
  on schedule (name);
create index schedule_lease
  on schedule (lease_until)
  where lease_until is not null;
create unique index schedule_name
  on schedule (project_id, name);
create index schedule_of_author
  on schedule (author_id);
create index schedule_reconcile
  on schedule (reconcile_at)
  where reconcile_at is not null;
create index schedule_search
  on schedule (project_id, name, description, action, state, last_result, id)
  where name <> '';
create index schedule_sorted_by_last_result
  on schedule (project_id, coalesce(last_result, ''), id);
create index schedule_sorted_by_time_next
  on schedule (project_id, coalesce(time_next, ''), id);

create table schedule_run (
  id text not null,
  schedule_id text not null,
  number int not null,
  cause text not null,
  time_due text not null,
  time_started text not null,
  time_finished text,
  state text not null,
  reason text,
  user_id text not null,
  user_name text not null,
  succeeded int not null,
  failed int not null,
  retained int not null,
  token_id text,
  constraint schedule_run_pkey primary key (id)
);
create unique index schedule_run_number
  on schedule_run (schedule_id, number);
create unique index schedule_run_running
  on schedule_run (schedule_id)
  where state = 'running';
create index schedule_run_time
  on schedule_run (schedule_id, time_started, id);

create table schedule_snapshot (
  snapshot_id text not null,
  schedule_id text not null,
  disk_id text not null,
  number int not null,
  constraint schedule_snapshot_pkey primary key (snapshot_id)
);
create index schedule_snapshot_disk
  on schedule_snapshot (schedule_id, disk_id, number);

create table schedule_target (
  schedule_id text not null,
  kind text not null,
  target text not null,
  constraint schedule_target_pkey primary key (schedule_id, kind, target)
);
create index schedule_target_target
  on schedule_target (target, kind);

create table scim_token (
  id text not null,
  token_hash text not null,
  silo_id text not null,
  time_created text not null,
  time_expires text,
  constraint scim_token_pkey primary key (id)
);
create unique index scim_token_hash
  on scim_token (token_hash);
create index scim_token_silo
  on scim_token (silo_id, time_created, id);

create table scim_user (
  user_id text not null,
  profile text not null,
  constraint scim_user_pkey primary key (user_id)
);

create table scrub (
  kind text not null,
  position text,
  time_finished text,
  constraint scrub_pkey primary key (kind)
);

create table server_clock (
  id text not null,
  seconds_ahead bigint not null,
  time_began text not null,
  time_seen text not null,
  constraint server_clock_pkey primary key (id)
);

create table service_account (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  silo_id text not null,
  project_id text,
  time_deleted text,
  name_key text,
  constraint service_account_pkey primary key (id)
);
create index service_account_deleted
  on service_account (time_deleted)
  where time_deleted is not null;
create index service_account_found
  on service_account (name)
  where time_deleted is null;
create index service_account_project_by_description
  on service_account (project_id, description, id)
  where time_deleted is null and project_id is not null;
create index service_account_project_by_natural_name
  on service_account (project_id, name_key)
  where time_deleted is null and project_id is not null;
create index service_account_project_by_time_created
  on service_account (project_id, time_created, id)
  where time_deleted is null and project_id is not null;
create unique index service_account_project_name
  on service_account (project_id, name)
  where time_deleted is null and project_id is not null;
create index service_account_project_search
  on service_account (project_id, name, description, time_deleted, id)
  where time_deleted is null and project_id is not null and name <> '';
create index service_account_silo_by_description
  on service_account (silo_id, description, id)
  where time_deleted is null and project_id is null;
create index service_account_silo_by_natural_name
  on service_account (silo_id, name_key)
  where time_deleted is null and project_id is null;
create index service_account_silo_by_time_created
  on service_account (silo_id, time_created, id)
  where time_deleted is null and project_id is null;
create unique index service_account_silo_name
  on service_account (silo_id, name)
  where time_deleted is null and project_id is null;
create index service_account_silo_search
  on service_account (silo_id, name, description, time_deleted, project_id, id)
  where time_deleted is null and project_id is null and name <> '';

create table setting (
  key text not null,
  value text not null,
  constraint setting_pkey primary key (key)
);

create table setting_version (
  setting text not null,
  thing_id text not null,
  version int not null,
  time_created text not null,
  author_id text,
  author_name text,
  author_silo_id text,
  auth_method text,
  operation_id text,
  request_id text,
  job_id text,
  restored_version int,
  reason text,
  added int not null,
  changed int not null,
  removed int not null,
  size bigint not null,
  constraint setting_version_pkey primary key (thing_id, setting, version)
);

create table setting_version_item (
  setting text not null,
  thing_id text not null,
  item_key text not null,
  first_version int not null,
  last_version int,
  value text not null,
  constraint setting_version_item_pkey primary key (thing_id, setting, item_key, first_version)
);
create index setting_version_item_last
  on setting_version_item (thing_id, setting, last_version);

create table sign_in_policy (
  silo_id text not null,
  second_factor text not null,
  constraint sign_in_policy_pkey primary key (silo_id)
);

create table silo (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  identity_mode text not null,
  discoverable int not null,
  admin_group_name text,
  mapped_fleet_roles text not null,
  quota_cpus bigint not null,
  quota_memory bigint not null,
  quota_storage bigint not null,
  used_cpus bigint not null,
  used_memory bigint not null,
  used_storage bigint not null,
  device_token_max_ttl_seconds bigint,
  listed_in text,
  name_key text,
  restorable_hours integer default 0 not null,
  members_use_silo_images integer default 0 not null,
  storage_pool_id text,
  constraint silo_pkey primary key (id)
);
create index silo_by_description
  on silo (listed_in, description, id)
  where time_deleted is null;
create index silo_by_identity_mode
  on silo (listed_in, identity_mode, id)
  where time_deleted is null;
create index silo_by_name
  on silo (listed_in, name)
  where time_deleted is null;
create index silo_by_natural_name
  on silo (listed_in, name_key)
  where time_deleted is null;
create index silo_by_time_created
  on silo (listed_in, time_created, id)
  where time_deleted is null;
create index silo_deleted
  on silo (time_deleted)
  where time_deleted is not null;
create unique index silo_name
  on silo (name)
  where time_deleted is null;
create index silo_search
  on silo (listed_in, name, description, identity_mode, time_deleted, id)
  where time_deleted is null and name <> '';
create index silo_storage_pool
  on silo (storage_pool_id)
  where storage_pool_id is not null;

create table silo_group (
  id text not null,
  silo_id text not null,
  display_name text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  display_name_key text,
  provider_key text,
  constraint silo_group_pkey primary key (id)
);
create index silo_group_deleted
  on silo_group (time_deleted)
  where time_deleted is not null;
create unique index silo_group_display
  on silo_group (silo_id, display_name)
  where time_deleted is null;
create unique index silo_group_display_key
  on silo_group (silo_id, display_name_key)
  where time_deleted is null and display_name_key is not null;
create index silo_group_displayed
  on silo_group (silo_id, lower(display_name), id)
  where time_deleted is null;
create index silo_group_id
  on silo_group (silo_id, id)
  where time_deleted is null;
create index silo_group_provider
  on silo_group (silo_id, provider_key)
  where time_deleted is null and provider_key is not null;

create table silo_group_membership (
  group_id text not null,
  user_id text not null,
  constraint silo_group_membership_pkey primary key (user_id, group_id)
);
create index silo_group_membership_group
  on silo_group_membership (group_id, user_id);

create table silo_user (
  id text not null,
  silo_id text not null,
  external_id text not null,
  display_name text not null,
  password_hash text,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  user_name_key text,
  provider_key text,
  time_deactivated text,
  time_last_sign_in text,
  password_generated int,
  password_weak int,
  is_service integer default 0 not null,
  is_provided integer default 0 not null,
  constraint silo_user_pkey primary key (id)
);
create index silo_user_deleted
  on silo_user (time_deleted)
  where time_deleted is not null;
create index silo_user_display
  on silo_user (silo_id, display_name, id)
  where time_deleted is null;
create index silo_user_displayed
  on silo_user (silo_id, lower(display_name), id)
  where time_deleted is null;
create unique index silo_user_external
  on silo_user (silo_id, external_id)
  where time_deleted is null and is_provided = 0;
create index silo_user_id
  on silo_user (silo_id, id)
  where time_deleted is null;
create index silo_user_named
  on silo_user (silo_id, external_id)
  where time_deleted is null;
create index silo_user_provider
  on silo_user (silo_id, provider_key)
  where time_deleted is null and provider_key is not null;
create unique index silo_user_user_name
  on silo_user (silo_id, user_name_key)
  where time_deleted is null and user_name_key is not null;

create table simulated_component (
  serial text not null,
  kind text not null,
  artifact text,
  next text,
  ready_at bigint,
  constraint simulated_component_pkey primary key (serial, kind)
);

create table simulated_disk (
  serial text not null,
  sled_serial text not null,
  vendor text not null,
  model text not null,
  form_factor text not null,
  slot int not null,
  size bigint not null,
  failed int not null,
  constraint simulated_disk_pkey primary key (serial)
);

create table simulated_host (
  serial text not null,
  cubby int not null,
  address text,
  constraint simulated_host_pkey primary key (serial)
);

create table simulated_input (
  id integer primary key autoincrement,
  machine_id text not null,
  sled_id text not null,
  data text not null
);
create index simulated_input_sled
  on simulated_input (sled_id, id);

create table simulated_listener (
  machine_id text not null,
  port int not null,
  peer text,
  lease_until bigint not null,
  constraint simulated_listener_machine_id_fkey foreign key (machine_id) references simulated_machine (id) on delete cascade,
  constraint simulated_listener_pkey primary key (machine_id, port)
);

create table simulated_load (
  machine_id text not null,
  time_began bigint not null,
  time_ended bigint,
  cpu int not null,
  disk int not null,
  network int not null,
  constraint simulated_load_pkey primary key (machine_id, time_began)
);

create table simulated_machine (
  id text not null,
  sled_id text not null,
  spec text not null,
  phase text not null,
  since bigint not null,
  reboots int not null,
  version int not null,
  boot int default 0 not null,
  move text,
  constraint simulated_machine_pkey primary key (id)
);
create index simulated_machine_moving
  on simulated_machine (sled_id)
  where phase in ('booting', 'rebooting', 'stopping');

create table simulated_multicast (
  id text not null,
  address text not null,
  version int not null,
  receivers text not null,
  constraint simulated_multicast_pkey primary key (id)
);
create index simulated_multicast_address
  on simulated_multicast (address);

create table simulated_outage (
  switch_slot text not null,
  address text not null,
  time_began text not null,
  time_ended text,
  constraint simulated_outage_pkey primary key (switch_slot, address)
);

create table simulated_output (
  machine_id text not null,
  boot int not null,
  byte_offset bigint not null,
  byte_length int not null,
  data text not null,
  constraint simulated_output_pkey primary key (machine_id, boot, byte_offset)
);

create table simulated_pool (
  id text not null,
  path text not null,
  constraint simulated_pool_pkey primary key (id)
);

create table simulated_power_gap (
  slot int not null,
  constraint simulated_power_gap_pkey primary key (slot)
);

create table simulated_sled (
  serial text not null,
  part text not null,
  revision int not null,
  cubby int not null,
  threads int not null,
  ram bigint not null,
  cpu_platform text not null,
  down int not null,
  sled_id text,
  recovered int default 0 not null,
  cut int default 0 not null,
  constraint simulated_sled_pkey primary key (serial)
);

create table simulated_switch (
  serial text not null,
  part text not null,
  revision int not null,
  slot text not null,
  constraint simulated_switch_pkey primary key (serial)
);

create table simulated_viewer (
  machine_id text not null,
  server text not null,
  sled_id text not null,
  boot int not null,
  byte_offset bigint not null,
  lease_until bigint not null,
  constraint simulated_viewer_pkey primary key (machine_id, server)
);

create table simulated_volume_pool (
  volume_id text not null,
  pool_id text,
  destination text,
  moves_since bigint,
  constraint simulated_volume_pool_pkey primary key (volume_id)
);

create table sled (
  id text not null,
  rack_id text not null,
  name text not null,
  part text not null,
  revision int not null,
  slot int not null,
  usable_hardware_threads int not null,
  usable_physical_ram bigint not null,
  provision_policy text not null,
  used_threads int not null,
  used_ram bigint not null,
  time_created text not null,
  time_modified text not null,
  name_key text,
  fleet_id text default '001de000-1334-4000-8000-000000000000' not null,
  cpu_platform text default 'amd_milan' not null,
  policy text default 'in_service' not null,
  state text default 'active' not null,
  responding int default 1 not null,
  updating int default 0 not null,
  fenced int default 0 not null,
  constraint sled_pkey primary key (id)
);
create index sled_by_name
  on sled (fleet_id, name, id);
create index sled_by_name_key
  on sled (fleet_id, name_key, id);
create index sled_by_part
  on sled (fleet_id, part, id);
create index sled_by_policy
  on sled (fleet_id, policy, id);
create index sled_by_provision_policy
  on sled (fleet_id, provision_policy, id);
create index sled_by_slot
  on sled (fleet_id, slot, id);
create index sled_by_state
  on sled (fleet_id, state, id);
create index sled_by_time_created
  on sled (fleet_id, time_created, id);
create index sled_by_usable_hardware_threads
  on sled (fleet_id, usable_hardware_threads, id);
create index sled_by_usable_physical_ram
  on sled (fleet_id, usable_physical_ram, id);
create index sled_by_used_ram
  on sled (fleet_id, used_ram, id);
create index sled_by_used_threads
  on sled (fleet_id, used_threads, id);
create index sled_found
  on sled (name);
create index sled_search
  on sled (fleet_id, name, part, id)
  where name <> '';

create table sled_maintenance (
  id text not null,
  sled_id text not null,
  reason text not null,
  time_end text,
  unmovable text not null,
  paused int not null,
  policy_before text not null,
  user_id text not null,
  user_name text not null,
  user_silo_id text not null,
  time_begun text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint sled_maintenance_pkey primary key (id)
);
create index sled_maintenance_failing
  on sled_maintenance (time_step_failed)
  where step_failures >= 10;
create index sled_maintenance_lease
  on sled_maintenance (lease_until)
  where lease_until is not null;
create index sled_maintenance_reconcile
  on sled_maintenance (reconcile_at)
  where reconcile_at is not null;
create unique index sled_maintenance_sled
  on sled_maintenance (sled_id);

create table sled_maintenance_instance (
  maintenance_id text not null,
  instance_id text not null,
  state text not null,
  reason text,
  constraint sled_maintenance_instance_pkey primary key (maintenance_id, instance_id)
);
create index sled_maintenance_instance_of
  on sled_maintenance_instance (instance_id);

create table snapshot (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  project_id text not null,
  disk_id text not null,
  size bigint not null,
  block_size int not null,
  state text not null,
  has_volume int default 0 not null,
  reconcile_at text,
  lease_until bigint,
  fence int default 0 not null,
  name_key text,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  consistency text,
  storage_pool_id text,
  constraint snapshot_pkey primary key (id)
);
create index snapshot_by_consistency
  on snapshot (project_id, consistency, id)
  where time_deleted is null;
create index snapshot_by_created
  on snapshot (project_id, time_created, id)
  where time_deleted is null;
create index snapshot_by_description
  on snapshot (project_id, description, id)
  where time_deleted is null;
create index snapshot_by_natural_name
  on snapshot (project_id, name_key)
  where time_deleted is null;
create index snapshot_by_size
  on snapshot (project_id, size, id)
  where time_deleted is null;
create index snapshot_by_state
  on snapshot (project_id, state, id)
  where time_deleted is null;
create index snapshot_deleted
  on snapshot (time_deleted)
  where time_deleted is not null;
create index snapshot_disk
  on snapshot (disk_id)
  where state = 'creating';
create index snapshot_due
  on snapshot (reconcile_at)
  where reconcile_at is not null;
create index snapshot_failing
  on snapshot (time_step_failed)
  where step_failures >= 10;
create index snapshot_found
  on snapshot (name)
  where time_deleted is null;
create index snapshot_id
  on snapshot (project_id, id)
  where time_deleted is null;
create index snapshot_leased
  on snapshot (lease_until)
  where lease_until is not null;
create unique index snapshot_name
  on snapshot (project_id, name)
  where time_deleted is null;
create index snapshot_of_disk
  on snapshot (disk_id, name);
create index snapshot_of_project
  on snapshot (project_id, id);
create index snapshot_search
  on snapshot (project_id, name, description, state, consistency, time_deleted, id)
  where time_deleted is null and name <> '';
create index snapshot_storage_pool
  on snapshot (storage_pool_id)
  where storage_pool_id is not null;

create table ssh_key (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  silo_user_id text not null,
  public_key text not null,
  name_key text,
  constraint ssh_key_pkey primary key (id)
);
create index ssh_key_by_created
  on ssh_key (silo_user_id, time_created, id)
  where time_deleted is null;
create index ssh_key_by_description
  on ssh_key (silo_user_id, description, id)
  where time_deleted is null;
create index ssh_key_by_natural_name
  on ssh_key (silo_user_id, name_key)
  where time_deleted is null;
create index ssh_key_deleted
  on ssh_key (time_deleted)
  where time_deleted is not null;
create index ssh_key_id
  on ssh_key (silo_user_id, id)
  where time_deleted is null;
create unique index ssh_key_name
  on ssh_key (silo_user_id, name)
  where time_deleted is null;
create index ssh_key_search
  on ssh_key (silo_user_id, name, description, time_deleted, id)
  where time_deleted is null and name <> '';

create table star (
  user_id text not null,
  id text not null,
  kind text not null,
  time_created text not null,
  constraint star_pkey primary key (user_id, id)
);

create table storage_pool (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  fleet_id text not null,
  time_deleted text,
  type text not null,
  path text,
  built_in int not null,
  is_default int not null,
  state text not null,
  problem text,
  size bigint not null,
  free bigint,
  used bigint not null,
  reclaimable bigint not null,
  time_checked text,
  reconcile_at text,
  lease_until bigint,
  step_failure text,
  time_step_failed text,
  fence int default 0 not null,
  step_failures int default 0 not null,
  generation int default 0 not null,
  source text,
  constraint storage_pool_pkey primary key (id)
);
create index storage_pool_by_description
  on storage_pool (fleet_id, description, id)
  where time_deleted is null;
create index storage_pool_by_name
  on storage_pool (fleet_id, name, id)
  where time_deleted is null;
create index storage_pool_by_natural_name
  on storage_pool (fleet_id, name_key, id)
  where time_deleted is null;
create index storage_pool_by_provisioned
  on storage_pool (fleet_id, used, id)
  where time_deleted is null;
create index storage_pool_by_size
  on storage_pool (fleet_id, size, id)
  where time_deleted is null;
create index storage_pool_by_state
  on storage_pool (fleet_id, state, id)
  where time_deleted is null;
create index storage_pool_by_time_created
  on storage_pool (fleet_id, time_created, id)
  where time_deleted is null;
create index storage_pool_by_type
  on storage_pool (fleet_id, type, id)
  where time_deleted is null;
create unique index storage_pool_default
  on storage_pool (is_default)
  where time_deleted is null and is_default = 1;
create index storage_pool_failing
  on storage_pool (time_step_failed)
  where step_failures >= 10;
create unique index storage_pool_first
  on storage_pool (built_in)
  where time_deleted is null and built_in = 1;
create index storage_pool_found
  on storage_pool (name, fleet_id)
  where time_deleted is null;
create index storage_pool_lease
  on storage_pool (lease_until)
  where lease_until is not null;
create unique index storage_pool_name
  on storage_pool (name)
  where time_deleted is null;
create unique index storage_pool_path
  on storage_pool (path)
  where time_deleted is null;
create index storage_pool_reconcile
  on storage_pool (reconcile_at)
  where reconcile_at is not null;
create index storage_pool_search
  on storage_pool (fleet_id, name, description, path, source, type, state, time_deleted, id)
  where time_deleted is null and name <> '';
create unique index storage_pool_source
  on storage_pool (source)
  where time_deleted is null;

create table storage_pool_host (
  storage_pool_id text not null,
  serial text not null,
  problem text,
  constraint storage_pool_host_pkey primary key (storage_pool_id, serial)
);

create table subnet_pool (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  time_deleted text,
  ip_version text not null,
  fleet_id text default '001de000-1334-4000-8000-000000000000' not null,
  constraint subnet_pool_pkey primary key (id)
);
create index subnet_pool_by_created
  on subnet_pool (fleet_id, time_created, id)
  where time_deleted is null;
create index subnet_pool_by_description
  on subnet_pool (fleet_id, description, id)
  where time_deleted is null;
create index subnet_pool_by_ip_version
  on subnet_pool (fleet_id, ip_version, id)
  where time_deleted is null;
create index subnet_pool_by_name
  on subnet_pool (fleet_id, name)
  where time_deleted is null;
create index subnet_pool_by_natural_name
  on subnet_pool (fleet_id, name_key, id)
  where time_deleted is null;
create unique index subnet_pool_name
  on subnet_pool (name)
  where time_deleted is null;
create index subnet_pool_search
  on subnet_pool (fleet_id, name, description, ip_version, time_deleted, id)
  where time_deleted is null and name <> '';

create table subnet_pool_member (
  id text not null,
  subnet_pool_id text not null,
  subnet text not null,
  first_key text not null,
  last_key text not null,
  min_prefix_length int not null,
  max_prefix_length int not null,
  time_created text not null,
  constraint subnet_pool_member_pkey primary key (id)
);
create unique index subnet_pool_member_first
  on subnet_pool_member (first_key);
create index subnet_pool_member_pool
  on subnet_pool_member (subnet_pool_id, first_key);

create table subnet_pool_silo_link (
  subnet_pool_id text not null,
  silo_id text not null,
  is_default int not null,
  constraint subnet_pool_silo_link_pkey primary key (silo_id, subnet_pool_id)
);
create index subnet_pool_silo_link_pool
  on subnet_pool_silo_link (subnet_pool_id);

create table support_bundle (
  id text not null,
  fleet_id text not null,
  name text not null,
  state text not null,
  user_comment text not null,
  reason_for_creation text not null,
  reason_for_failure text,
  volume_id text,
  size bigint not null,
  time_created text not null,
  time_deleted text,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  constraint support_bundle_pkey primary key (id)
);
create index support_bundle_by_comment
  on support_bundle (fleet_id, user_comment, id)
  where time_deleted is null;
create index support_bundle_by_created
  on support_bundle (fleet_id, time_created, id)
  where time_deleted is null;
create index support_bundle_by_name
  on support_bundle (fleet_id, name, id)
  where time_deleted is null;
create index support_bundle_by_size
  on support_bundle (fleet_id, size, id)
  where time_deleted is null;
create index support_bundle_by_state
  on support_bundle (fleet_id, state, id)
  where time_deleted is null;
create index support_bundle_due
  on support_bundle (reconcile_at)
  where reconcile_at is not null;
create index support_bundle_failing
  on support_bundle (time_step_failed)
  where step_failures >= 10;
create index support_bundle_leased
  on support_bundle (lease_until)
  where lease_until is not null;
create index support_bundle_search
  on support_bundle (fleet_id, name, user_comment, state, time_created, time_deleted, id)
  where time_deleted is null and name <> '';

create table switch_port (
  id text not null,
  fleet_id text not null,
  rack_id text not null,
  switch_slot text not null,
  port_name text not null,
  name text not null,
  name_key text not null,
  port_settings_id text,
  time_applied text,
  constraint switch_port_pkey primary key (id)
);
create index switch_port_applied
  on switch_port (port_settings_id);
create index switch_port_by_configured
  on switch_port (fleet_id, coalesce(port_settings_id, ''), id);
create index switch_port_by_name
  on switch_port (fleet_id, name, id);
create index switch_port_by_natural_name
  on switch_port (fleet_id, name_key, id);
create index switch_port_by_settings
  on switch_port (fleet_id, port_settings_id, id);
create index switch_port_by_slot
  on switch_port (fleet_id, switch_slot, id);
create index switch_port_by_time_applied
  on switch_port (fleet_id, coalesce(time_applied, ''), id);
create index switch_port_found
  on switch_port (name);
create unique index switch_port_place
  on switch_port (rack_id, switch_slot, port_name);
create index switch_port_search
  on switch_port (fleet_id, name, switch_slot, port_settings_id, coalesce(port_settings_id, ''), id)
  where name <> '';

create table switch_port_settings (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  name_key text not null,
  time_deleted text,
  fleet_id text not null,
  geometry text not null,
  use text not null,
  document text not null,
  constraint switch_port_settings_pkey primary key (id)
);
create index switch_port_settings_by_created
  on switch_port_settings (fleet_id, time_created, id)
  where time_deleted is null;
create index switch_port_settings_by_description
  on switch_port_settings (fleet_id, description, id)
  where time_deleted is null;
create index switch_port_settings_by_geometry
  on switch_port_settings (fleet_id, geometry, id)
  where time_deleted is null;
create index switch_port_settings_by_name
  on switch_port_settings (fleet_id, name)
  where time_deleted is null;
create index switch_port_settings_by_natural_name
  on switch_port_settings (fleet_id, name_key, id)
  where time_deleted is null;
create index switch_port_settings_by_use
  on switch_port_settings (fleet_id, use, id)
  where time_deleted is null;
create unique index switch_port_settings_name
  on switch_port_settings (name)
  where time_deleted is null;
create index switch_port_settings_search
  on switch_port_settings (fleet_id, name, description, geometry, use, time_deleted, id)
  where time_deleted is null and name <> '';

create table system_update (
  id text not null,
  fleet_id text not null,
  seen text not null,
  state text not null,
  repository_id text,
  version text,
  time_requested text,
  previous_repository_id text,
  time_last_step text not null,
  problem text,
  time_problem text,
  generation int not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int default 0 not null,
  step_failure text,
  time_step_failed text,
  constraint system_update_pkey primary key (id)
);
create index system_update_alarms
  on system_update (reconcile_at)
  where reconcile_at is not null and lease_until is null;
create index system_update_failing
  on system_update (time_step_failed)
  where step_failures >= 10;
create index system_update_leases
  on system_update (lease_until)
  where lease_until is not null;

create table tag (
  thing_id text not null,
  kind text not null,
  key text not null,
  value text not null,
  parent_id text not null,
  silo_id text,
  project_id text,
  constraint tag_pkey primary key (thing_id, key)
);
create index tag_by_list
  on tag (parent_id, kind, key, value, thing_id);
create index tag_by_project
  on tag (project_id, key, value, kind)
  where project_id is not null;
create index tag_by_silo
  on tag (silo_id, key, value, kind)
  where silo_id is not null;

create table totp (
  user_id text not null,
  secret text not null,
  last_period bigint not null,
  time_created text not null,
  constraint totp_pkey primary key (user_id)
);

create table trust_root (
  id text not null,
  fleet_id text not null,
  root text not null,
  digest text not null,
  time_created text not null,
  constraint trust_root_pkey primary key (id)
);

create table update_artifact (
  repository_id text not null,
  name text not null,
  kind text not null,
  version text not null,
  hash text not null,
  size bigint not null,
  constraint update_artifact_pkey primary key (repository_id, kind, name)
);
create index update_artifact_hash
  on update_artifact (hash);

create table update_repository (
  id text not null,
  fleet_id text not null,
  name text not null,
  hash text not null,
  file_name text not null,
  size bigint not null,
  time_created text not null,
  time_pruned text,
  constraint update_repository_pkey primary key (id)
);
create unique index update_repository_name
  on update_repository (name)
  where time_pruned is null;

create table update_upload (
  id text not null,
  fleet_id text not null,
  file_name text not null,
  size bigint not null,
  resumable int not null,
  sealed int not null,
  time_created text not null,
  time_modified text not null,
  user_id text,
  constraint update_upload_pkey primary key (id)
);

create table uplink_host (
  id text not null,
  wanted text not null,
  generation int not null,
  applied text,
  applied_version int,
  time_applied text,
  found text,
  problems text not null,
  reconcile_at text,
  lease_until bigint,
  step_failure text,
  time_step_failed text,
  fence int default 0 not null,
  step_failures int default 0 not null,
  constraint uplink_host_pkey primary key (id)
);
create index uplink_host_failing
  on uplink_host (time_step_failed)
  where step_failures >= 10;
create index uplink_host_lease
  on uplink_host (lease_until)
  where lease_until is not null;
create index uplink_host_reconcile
  on uplink_host (reconcile_at)
  where reconcile_at is not null;

create table usage_place (
  id text not null,
  kind text not null,
  name text not null,
  silo_id text,
  time_purged bigint not null,
  constraint usage_place_pkey primary key (id)
);

create table usage_record (
  thing_id text not null,
  metric text not null,
  time_start bigint not null,
  time_end bigint not null,
  amount bigint not null,
  name text not null,
  silo_id text not null,
  project_id text,
  tags text not null,
  constraint usage_record_pkey primary key (thing_id, metric, time_start)
);
create index usage_record_silo
  on usage_record (silo_id, time_end, thing_id, metric);
create index usage_record_time
  on usage_record (time_end);

create table use_history (
  thing_id text not null,
  resource text not null,
  day text not null,
  used double precision not null,
  constraint use_history_pkey primary key (thing_id, resource, day)
);
create index use_history_day
  on use_history (day);

create table user_identity (
  provider_id text not null,
  name text not null,
  user_id text not null,
  time_created text not null,
  constraint user_identity_pkey primary key (provider_id, name)
);
create index user_identity_any_case
  on user_identity (provider_id, lower(name));
create index user_identity_user
  on user_identity (user_id);

create table user_link (
  id text not null,
  user_id text not null,
  purpose text not null,
  token_hash text,
  address text,
  time_expires text not null,
  time_sent text,
  attempts int not null,
  problem text,
  time_failed text,
  time_next_attempt text,
  time_created text not null,
  reconcile_at text,
  lease_until bigint,
  fence int not null,
  step_failures int not null,
  step_failure text,
  time_step_failed text,
  constraint user_link_pkey primary key (id),
  constraint user_link_user_id_fkey foreign key (user_id) references silo_user (id) on delete cascade
);
create unique index user_link_address
  on user_link (user_id)
  where purpose = 'address';
create index user_link_expires
  on user_link (time_expires);
create index user_link_failing
  on user_link (time_step_failed)
  where step_failures >= 10;
create index user_link_lease
  on user_link (lease_until)
  where lease_until is not null;
create unique index user_link_password
  on user_link (user_id)
  where purpose <> 'address';
create index user_link_reconcile
  on user_link (reconcile_at)
  where reconcile_at is not null;
create unique index user_link_token
  on user_link (token_hash)
  where token_hash is not null;

create table user_mail (
  user_id text not null,
  address text not null,
  time_confirmed text,
  forgotten_mails int not null,
  forgotten_mails_day text not null,
  constraint user_mail_pkey primary key (user_id),
  constraint user_mail_user_id_fkey foreign key (user_id) references silo_user (id) on delete cascade
);

create table volume (
  id text not null,
  size bigint not null,
  is_snapshot int default 0 not null,
  has_bytes int default 0 not null,
  machine_id text,
  consistency text,
  constraint simulated_volume_pkey primary key (id)
);

create table vpc (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  project_id text not null,
  system_router_id text not null,
  ipv6_prefix text not null,
  dns_name text not null,
  vni int not null,
  name_key text,
  constraint vpc_pkey primary key (id)
);
create index vpc_by_description
  on vpc (project_id, description, id)
  where time_deleted is null;
create index vpc_by_dns_name
  on vpc (project_id, dns_name, id)
  where time_deleted is null;
create index vpc_by_natural_name
  on vpc (project_id, name_key)
  where time_deleted is null;
create index vpc_by_time_created
  on vpc (project_id, time_created, id)
  where time_deleted is null;
create index vpc_deleted
  on vpc (time_deleted)
  where time_deleted is not null;
create index vpc_found
  on vpc (name)
  where time_deleted is null;
create index vpc_id
  on vpc (project_id, id)
  where time_deleted is null;
create unique index vpc_name
  on vpc (project_id, name)
  where time_deleted is null;
create index vpc_search
  on vpc (project_id, name, description, dns_name, time_deleted, id)
  where time_deleted is null and name <> '';
create unique index vpc_vni
  on vpc (vni)
  where time_deleted is null;

create table vpc_firewall_rule (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  vpc_id text not null,
  status text not null,
  direction text not null,
  targets text not null,
  filters text not null,
  action text not null,
  priority int not null,
  constraint vpc_firewall_rule_pkey primary key (id)
);
create index vpc_firewall_rule_deleted
  on vpc_firewall_rule (time_deleted)
  where time_deleted is not null;
create index vpc_firewall_rule_id
  on vpc_firewall_rule (vpc_id, id)
  where time_deleted is null;
create unique index vpc_firewall_rule_name
  on vpc_firewall_rule (vpc_id, name)
  where time_deleted is null;

create table vpc_network (
  id text not null,
  project_id text not null,
  wanted text not null,
  generation int not null,
  applied text,
  applied_version int,
  time_applied text,
  reconcile_at text,
  lease_until bigint,
  step_failure text,
  time_step_failed text,
  fence int default 0 not null,
  step_failures int default 0 not null,
  constraint vpc_network_pkey primary key (id)
);
create index vpc_network_failing
  on vpc_network (time_step_failed)
  where step_failures >= 10;
create index vpc_network_lease
  on vpc_network (lease_until)
  where lease_until is not null;
create index vpc_network_of_project
  on vpc_network (project_id);
create index vpc_network_reconcile
  on vpc_network (reconcile_at)
  where reconcile_at is not null;

create table vpc_router (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  vpc_id text not null,
  kind text not null,
  name_key text,
  constraint vpc_router_pkey primary key (id)
);
create index vpc_router_by_description
  on vpc_router (vpc_id, description, id)
  where time_deleted is null;
create index vpc_router_by_kind
  on vpc_router (vpc_id, kind, id)
  where time_deleted is null;
create index vpc_router_by_natural_name
  on vpc_router (vpc_id, name_key)
  where time_deleted is null;
create index vpc_router_by_time_created
  on vpc_router (vpc_id, time_created, id)
  where time_deleted is null;
create index vpc_router_deleted
  on vpc_router (time_deleted)
  where time_deleted is not null;
create index vpc_router_found
  on vpc_router (name)
  where time_deleted is null;
create index vpc_router_id
  on vpc_router (vpc_id, id)
  where time_deleted is null;
create unique index vpc_router_name
  on vpc_router (vpc_id, name)
  where time_deleted is null;
create index vpc_router_search
  on vpc_router (vpc_id, name, description, kind, time_deleted, id)
  where time_deleted is null and name <> '';

create table vpc_subnet (
  id text not null,
  name text not null,
  description text not null,
  time_created text not null,
  time_modified text not null,
  time_deleted text,
  vpc_id text not null,
  ipv4_block text not null,
  ipv6_block text not null,
  custom_router_id text,
  ipv4_first text,
  ipv4_last text,
  ipv6_first text,
  ipv6_last text,
  name_key text,
  constraint vpc_subnet_pkey primary key (id)
);
create index vpc_subnet_by_description
  on vpc_subnet (vpc_id, description, id)
  where time_deleted is null;
create index vpc_subnet_by_natural_name
  on vpc_subnet (vpc_id, name_key)
  where time_deleted is null;
create index vpc_subnet_by_time_created
  on vpc_subnet (vpc_id, time_created, id)
  where time_deleted is null;
create index vpc_subnet_custom_router
  on vpc_subnet (custom_router_id)
  where time_deleted is null;
create index vpc_subnet_deleted
  on vpc_subnet (time_deleted)
  where time_deleted is not null;
create index vpc_subnet_found
  on vpc_subnet (name)
  where time_deleted is null;
create index vpc_subnet_id
  on vpc_subnet (vpc_id, id)
  where time_deleted is null;
create unique index vpc_subnet_ipv4_first
  on vpc_subnet (vpc_id, ipv4_first)
  where time_deleted is null;
create unique index vpc_subnet_ipv6_first
  on vpc_subnet (vpc_id, ipv6_first)
  where time_deleted is null;
create unique index vpc_subnet_name
  on vpc_subnet (vpc_id, name)
  where time_deleted is null;
create index vpc_subnet_search
  on vpc_subnet (vpc_id, name, description, ipv4_block, ipv6_block, time_deleted, id)
  where time_deleted is null and name <> '';

create table webhook_secret (
  id text not null,
  receiver_id text not null,
  value text not null,
  time_created text not null,
  constraint webhook_secret_pkey primary key (id)
);
create index webhook_secret_receiver
  on webhook_secret (receiver_id);
