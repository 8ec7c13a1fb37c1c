import { NAME_MAX } from '../../rules/names.ts'
import { boolean, list, named, oneOf, record, string, text, uint32 } from '../../schema.ts'
import { NetworkNeed } from '../../networking/instance-networks/schemas.ts'
import { ImageFormat } from '../../storage/images/schemas.ts'
import { engineParts } from './engine.ts'

const PingStatus = named('PingStatus', oneOf('ok'))
export const Ping = record('Ping', { status: PingStatus })

const EngineName = named('EngineName', text(NAME_MAX))
const EnginePart = named('EnginePart', oneOf(...engineParts))

/** Extensions of the API that this control plane has; clients ask before they use them. */
export const Capabilities = record('Capabilities', {
  product: string,
  version: string,
  /** The engine that runs machines. */
  engine: EngineName,
  /** Parts that the engine lacks; their operations answer 501. */
  engine_lacks: list(EnginePart),
  /** `GET /x/v1/events` streams changes. */
  events: boolean,
  /** `GET /x/v1/instances` and others search, filter and sort. */
  lists: boolean,
  /** The lists also count rows by each value of a filter: `count_by`. */
  list_counts: boolean,
  /** The lists are grouped by the values of a tag, `group_by`; `GET /x/v1/tag-keys` lists keys. */
  tag_groups: boolean,
  /** Alert rules and dashboards are limited to resources with some tags. */
  tag_filters: boolean,
  /** Contents of disks and snapshots can be downloaded and checksummed. */
  disk_contents: boolean,
  /** `GET /x/v1/disks/{disk}/import` reports the progress of an import. */
  import_resume: boolean,
  /** `PUT /x/v1/disks/{disk}/contents` takes raw bytes of an import. */
  raw_import: boolean,
  /** Formats of images that the end of an import turns into the contents of the disk. */
  image_formats: list(ImageFormat),
  /** `/x/v1/image-downloads` makes images of files at URLs. */
  image_downloads: boolean,
  /** `/x/v1/jobs` runs bulk actions. */
  jobs: boolean,
  /** `GET /x/v1/instances/{instance}/deletion` and others preview the effects of a deletion. */
  deletion: boolean,
  /** `GET /x/v1/instances/{instance}/failure` reports the reason for an instance's failure. */
  instance_failure: boolean,
  /** `GET /x/v1/snapshots/{snapshot}` reports how consistent the file systems in a snapshot are. */
  snapshot_consistency: boolean,
  /** The serial console stream at `/x/v1` resumes where a lost connection ended. */
  serial_console_resume: boolean,
  /** `GET /x/v1/instances/{instance}/serial-console` reads the log even when the machine is off. */
  serial_console_log: boolean,
  /** `/x/v1/instances/{instance}/display` and `…/screenshot` show the screen of an instance. */
  display: boolean,
  /** `GET /x/v1/find` searches all kinds across the silo. */
  find: boolean,
  /** `/x/v1/stars` stores the user's stars. */
  stars: boolean,
  /** `/x/v1/views` stores views of lists. */
  views: boolean,
  /** `/x/v1/tags` and `/x/v1/notes` store tags and notes of resources; lists are filtered by tags. */
  tags: boolean,
  /** `/x/v1/dashboards` stores charts of queries. */
  dashboards: boolean,
  /** `/x/v1/audit-log` and `/x/v1/history` record who did what. */
  audit_log: boolean,
  /** `/x/v1/me/actions` lists the actions of the user with their outcomes. */
  own_actions: boolean,
  /** `/x/v1/certificates/ending` lists certificates that expire soon, for operators and admins. */
  ending_certificates: boolean,
  /**
   * `GET /x/v1/identity-providers/saml/{provider}/metadata` returns the service provider metadata.
   */
  saml_metadata: boolean,
  /**
   * `/x/v1/identity-providers/saml/{provider}/sign-in` sets whether the provider may initiate
   * sign-in.
   */
  saml_sign_in_settings: boolean,
  /** `/x/v1/provider-sign-ins` shows the last sign-in through an identity provider. */
  provider_sign_ins: boolean,
  /** `/x/v1/users/{user_id}/identities` links users to identity providers. */
  user_identities: boolean,
  /** `/x/v1/system/identity-providers/oidc` holds the OpenID Connect providers of silos. */
  oidc: boolean,
  /** `/x/v1/me/sign-in-security` holds the passkeys and other second factors of the user. */
  second_factors: boolean,
  /** `/x/v1/users/{user_id}/link` invites people by links. */
  user_links: boolean,
  /** Such links can be sent by mail. */
  user_mail: boolean,
  /** `/x/v1/me/address` shows the address of the caller. */
  own_address: boolean,
  /** `/x/v1/me/sessions` lists the sessions of the user. */
  sessions: boolean,
  /** `/x/v1/me/access-tokens` creates tokens with a name and fewer rights. */
  access_tokens: boolean,
  /** `/x/v1/service-accounts` keeps users without a person. */
  service_accounts: boolean,
  /** `/x/v1/access` reports who may do what, and why. */
  access: boolean,
  /** `/x/v1/users` and `/x/v1/groups` serve the administrators of a silo. */
  users: boolean,
  /** `/x/v1/me/password` changes the user's own password. */
  own_password: boolean,
  /** Minimum length of a new password in characters. */
  password_min: uint32,
  /**
   * `/x/v1/reachability` answers whether packets arrive, `/x/v1/vpcs/{vpc}/network` shows a
   * network.
   */
  reachability: boolean,
  /** `/x/v1/reachability/packets` sends real packets. */
  real_packets: boolean,
  /** Why it sends none; null if it does. */
  real_packets_problem: string.nullable(),
  /** `GET /x/v1/instances/{instance}/network` reports the network that the engine has applied. */
  instance_network: boolean,
  /** `GET /x/v1/vpcs/{vpc}/network-status` says whether the network of a VPC is carried and in effect. */
  vpc_network_status: boolean,
  /** `GET /x/v1/vpcs/{vpc}/firewall-use` has the numbers of packets of firewall rules. */
  firewall_use: boolean,
  /** `GET /x/v1/instances/{instance}/denied-packets` lists the last packets that were denied. */
  denied_packets: boolean,
  /** `GET /x/v1/system/networks` shows the state of what carries networks. */
  system_networks: boolean,
  /** Abilities that the engine lacks; firewall rules that depend on one are not enforced. */
  network_lacks: list(NetworkNeed),
  /** `/x/v1/system/hardware` reports the usage of sleds and disks, and expunges them. */
  hardware: boolean,
  /** Forecasts estimate when quotas and pools run out. */
  forecasts: boolean,
  /** `/x/v1/usage` reports recorded use; `/x/v1/prices` has the prices of today. */
  usage: boolean,
  /** `/x/v1/issues` lists problems that need an operator. */
  issues: boolean,
  /**
   * `/x/v1/overview` sums up a project, a silo and the fleet, `/x/v1/briefing` says how they are doing,
   * and `/x/v1/lights` has the state of each instance.
   */
  overviews: boolean,
  /** `/x/v1/alert-rules` raises alerts from measurements. */
  alert_rules: boolean,
  /** `/x/v1/me/notifications` tells users of issues; subscriptions send them. */
  notifications: boolean,
  /** Notifications can be sent by mail. */
  notification_mail: boolean,
  /** Notifications can be sent to webhooks and chats. */
  notification_webhooks: boolean,
  /** `/x/v1/schedules` takes snapshots and starts and stops instances at set times. */
  schedules: boolean,
  /** `/x/v1/deleted-resources` keeps deleted resources, as `/x/v1/deletion-policy` says. */
  deleted_resources: boolean,
  /**
   * `/x/v1/projects/{project}/silo-images`, `…/ip-pools` and `…/subnet-pools` list what members of a
   * project may use, as `/x/v1/image-policy` says for images.
   */
  project_offers: boolean,
  /** `/x/v1/setting-versions` keeps versions of firewall rules, routes and settings. */
  setting_versions: boolean,
  /** `POST /x/v1/instances/{instance}/clone` creates an instance like another one. */
  instance_clones: boolean,
  /** `POST /x/v1/disks/{disk}/grow` makes a disk larger. */
  disk_growth: boolean,
  /** `/x/v1/disks/{disk}/roll-back` and `/x/v1/instances/{instance}/roll-back` return to snapshots. */
  roll_backs: boolean,
  /** `/x/v1/instance-templates` creates instances from stored requests with variables. */
  instance_templates: boolean,
  /** `GET /x/v1/projects/{project}/terraform` exports a project as a configuration. */
  project_terraform: boolean,
  /** `/x/v1/system/hardware/sleds/{sled_id}/moves` moves running instances to other sleds. */
  instance_moves: boolean,
  /** `…/instances/{instance_id}/move/cancel` there cancels a move. */
  move_cancel: boolean,
  /** `/x/v1/system/hardware/sleds/{sled_id}/maintenance` empties sleds. */
  sled_maintenance: boolean,
  /** `/x/v1/system/hosts` adds hosts. */
  hosts: boolean,
  storage_pools: boolean,
  /** `/x/v1/system/update` reports the update of each sled, and takes uploads in parts. */
  updates: boolean,
  /** `/x/v1/simulation` injects hardware failures; only with simulated hardware. */
  simulation: boolean,
  /** `/docs` serves the documentation of this product. */
  docs: boolean,
  /** Instances may join multicast groups; operators enable this. */
  multicast: boolean,
})

/** The OpenAPI document, as any object. */
export const OpenApiDocument = record('OpenApiDocument', {})
