import { boolean, named, oneOf, record, string, uint32 } from '../../schema.ts'

const PingStatus = named('PingStatus', oneOf('ok'))
export const Ping = record('Ping', { status: PingStatus })

/** What this control plane adds to the API; clients ask before they use it. */
export const Capabilities = record('Capabilities', {
  product: string,
  version: string,
  /** `GET /x/v1/events` streams changes. */
  events: boolean,
  /** `GET /x/v1/instances` and others search, filter and sort. */
  lists: boolean,
  /** Those lists count by each word of a filter: `count_by`. */
  list_counts: boolean,
  /** The bytes of disks and snapshots can be downloaded, and summed up. */
  disk_contents: boolean,
  /** `GET /x/v1/disks/{disk}/import` tells what an import has brought so far. */
  import_resume: boolean,
  /** `PUT /x/v1/disks/{disk}/contents` takes the bytes of an import as they are. */
  raw_import: boolean,
  /** `/x/v1/jobs` does something with many things at once. */
  jobs: boolean,
  /** `GET /x/v1/instances/{instance}/deletion` and others tell what a deletion means. */
  deletion: boolean,
  /** `GET /x/v1/instances/{instance}/failure` tells why an instance has failed. */
  instance_failure: boolean,
  /** The stream of a serial console at `/x/v1` goes on where a lost one ended. */
  serial_console_resume: boolean,
  /** `GET /x/v1/instances/{instance}/serial-console` reads the log also when the machine is off. */
  serial_console_log: boolean,
  /** `GET /x/v1/find` finds things of all kinds in the whole silo. */
  find: boolean,
  /** `/x/v1/stars` keeps what a user has starred. */
  stars: boolean,
  /** `/x/v1/views` keeps views of lists. */
  views: boolean,
  /** `/x/v1/dashboards` keeps charts of queries. */
  dashboards: boolean,
  /** `/x/v1/audit-log` and `/x/v1/history` tell who did what. */
  audit_log: boolean,
  /** `/x/v1/certificates/ending` tells operators and admins which certificates end soon. */
  ending_certificates: boolean,
  /** `GET /x/v1/identity-providers/saml/{provider}/metadata` describes this service to a provider. */
  saml_metadata: boolean,
  /** `/x/v1/identity-providers/saml/{provider}/sign-in` says who may begin to sign in. */
  saml_sign_in_settings: boolean,
  /** `/x/v1/me/sessions` tells users where they are signed in. */
  sessions: boolean,
  /** `/x/v1/access` tells who may do what, and why. */
  access: boolean,
  /** `/x/v1/users` and `/x/v1/groups` are for administrators of a silo. */
  users: boolean,
  /** `/x/v1/me/password` changes the own password. */
  own_password: boolean,
  /** Characters of a new password at least. */
  password_min: uint32,
  /** `/x/v1/reachability` tells who reaches whom, `/x/v1/vpcs/{vpc}/network` shows a network. */
  reachability: boolean,
  /** `/x/v1/system/hardware` tells what is used of sleds and disks, and expunges them. */
  hardware: boolean,
  /** Forecasts tell when quotas and pools will be used up. */
  forecasts: boolean,
  /** `/x/v1/issues` tells operators what needs their attention. */
  issues: boolean,
  /** `/x/v1/alert-rules` raises alerts by what is measured. */
  alert_rules: boolean,
  /** `/x/v1/system/update` tells how the update of each sled goes, and takes uploads in pieces. */
  updates: boolean,
  /** `/x/v1/simulation` makes hardware fail; only where it is simulated. */
  simulation: boolean,
  /** `/docs` has the documentation of this product. */
  docs: boolean,
  /** Instances may join multicast groups; an operator turns this on. */
  multicast: boolean,
})

/** The OpenAPI document: any object. */
export const OpenApiDocument = record('OpenApiDocument', {})
