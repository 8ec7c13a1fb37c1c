import { access_token } from '../access-tokens/kind.ts'
import { address_lot } from '../address-lots/kind.ts'
import { affinity_group, anti_affinity_group } from '../affinity/kind.ts'
import { bfd_session } from '../bfd/kind.ts'
import { bgp_announce_set, bgp_config } from '../bgp/kind.ts'
import { alert_rule, system_alert_rule } from '../alert-rules/kind.ts'
import { alert_delivery, alert_receiver, webhook_secret } from '../alert-receivers/kind.ts'
import { alert } from '../alerts/kind.ts'
import { certificate } from '../certificates/kind.ts'
import { dashboard, project_dashboard, silo_dashboard } from '../dashboards/kind.ts'
import { disk } from '../disks/kind.ts'
import { external_ip } from '../external-ips/kind.ts'
import { vpc_firewall_rule } from '../firewall-rules/kind.ts'
import { external_subnet } from '../external-subnets/kind.ts'
import { floating_ip } from '../floating-ips/kind.ts'
import { silo_group } from '../groups/kind.ts'
import { saml_identity_provider } from '../identity-providers/kind.ts'
import { image, silo_image } from '../images/kind.ts'
import { instance } from '../instances/kind.ts'
import {
  internet_gateway,
  internet_gateway_ip_address,
  internet_gateway_ip_pool,
} from '../internet-gateways/kind.ts'
import { ip_pool, system_ip_pool } from '../ip-pools/kind.ts'
import { loopback_address } from '../loopback-addresses/kind.ts'
import { multicast_group } from '../multicast-groups/kind.ts'
import { network_interface } from '../network-interfaces/kind.ts'
import { disk_adoption_request, physical_disk } from '../physical-disks/kind.ts'
import { policy } from '../policies/kind.ts'
import { probe } from '../probes/kind.ts'
import { project } from '../projects/kind.ts'
import { rack } from '../racks/kind.ts'
import { router_route, vpc_router } from '../routers/kind.ts'
import type { Kind } from '../rules/kind.ts'
import { scim_token } from '../scim-tokens/kind.ts'
import { console_session } from '../sessions/kind.ts'
import { silo } from '../silos/kind.ts'
import { sled } from '../sleds/kind.ts'
import { snapshot } from '../snapshots/kind.ts'
import { ssh_key } from '../ssh-keys/kind.ts'
import { subnet_pool, system_subnet_pool } from '../subnet-pools/kind.ts'
import { support_bundle } from '../support-bundles/kind.ts'
import { vpc_subnet } from '../subnets/kind.ts'
import { switch_port_settings } from '../switch-port-settings/kind.ts'
import { switch_port } from '../switch-ports/kind.ts'
import { rack_switch } from '../switches/kind.ts'
import { fleet } from '../system/kind.ts'
import { trust_root } from '../trust-roots/kind.ts'
import { system_update } from '../updates/kind.ts'
import { update_repository, update_upload } from '../update-repositories/kind.ts'
import { silo_user } from '../users/kind.ts'
import { vpc } from '../vpcs/kind.ts'
import { audit_log } from './audit-log.ts'
import { job } from './job.ts'
import { star } from './star.ts'
import { project_view, saved_view } from './view.ts'

/**
 * Every kind of thing. The order of those inside a project is the order in which the refusal to
 * delete a project looks for them (control plane 5).
 */
export const kinds = {
  fleet,
  silo,
  silo_user,
  silo_group,
  certificate,
  saml_identity_provider,
  ssh_key,
  access_token,
  console_session,
  scim_token,
  policy,
  audit_log,
  job,
  saved_view,
  project_view,
  dashboard,
  project_dashboard,
  silo_dashboard,
  star,
  rack,
  rack_switch,
  sled,
  physical_disk,
  disk_adoption_request,
  system_ip_pool,
  ip_pool,
  system_subnet_pool,
  subnet_pool,
  address_lot,
  loopback_address,
  bgp_config,
  bgp_announce_set,
  bfd_session,
  switch_port,
  switch_port_settings,
  multicast_group,
  alert,
  alert_receiver,
  webhook_secret,
  alert_delivery,
  system_alert_rule,
  trust_root,
  update_repository,
  update_upload,
  support_bundle,
  system_update,
  silo_image,
  project,
  instance,
  disk,
  floating_ip,
  image,
  snapshot,
  probe,
  network_interface,
  vpc,
  vpc_subnet,
  vpc_firewall_rule,
  vpc_router,
  router_route,
  internet_gateway,
  internet_gateway_ip_pool,
  internet_gateway_ip_address,
  affinity_group,
  anti_affinity_group,
  external_subnet,
  external_ip,
  alert_rule,
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
/** The declarations seen as rows that all have the same optional fields. */
export const kindTable: Record<KindName, Kind> = kinds
export const kindNames = Object.keys(kinds) as KindName[]

/** The kinds that a thing of a kind is inside of, the nearest first: router, VPC, project, silo. */
export function kindsAbove(kind: KindName): KindName[] {
  const parent = kindTable[kind].parent as KindName | undefined
  return parent ? [parent, ...kindsAbove(parent)] : []
}

/** The kinds between a project and the things of a kind inside of it, the nearest first. */
export const kindsWithinProject = (kind: KindName): KindName[] => {
  const above = kindsAbove(kind)
  return above.slice(0, Math.max(0, above.indexOf('project')))
}

/** Whether things of a kind are in a project, or inside of something in it. */
export const isInProject = (kind: KindName): boolean => kindsAbove(kind).includes('project')

/** Names of the kinds whose declaration has a field. */
export type KindsWith<Field extends keyof Kind> = {
  [K in KindName]: (typeof kinds)[K] extends Record<Field, unknown> ? K : never
}[KindName]

/** The kinds whose declaration has a field, in the order of the table. */
export const kindsWith = <Field extends keyof Kind>(field: Field): KindsWith<Field>[] =>
  kindNames.filter((name) => kindTable[name][field] !== undefined) as KindsWith<Field>[]
