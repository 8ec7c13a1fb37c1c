import { access_token } from '../identity/access-tokens/kind.ts'
import { address_lot } from '../system-networking/address-lots/kind.ts'
import { affinity_group, anti_affinity_group } from '../compute/affinity/kind.ts'
import { bfd_session } from '../system-networking/bfd/kind.ts'
import { bgp_announce_set, bgp_config } from '../system-networking/bgp/kind.ts'
import { alert_rule, system_alert_rule } from '../observability/alert-rules/kind.ts'
import {
  alert_delivery,
  alert_receiver,
  webhook_secret,
} from '../observability/alert-receivers/kind.ts'
import { alert } from '../observability/alerts/kind.ts'
import { certificate } from '../identity/certificates/kind.ts'
import { service_account, silo_service_account } from '../identity/service-accounts/kind.ts'
import { dashboard, project_dashboard, silo_dashboard } from '../observability/dashboards/kind.ts'
import { disk } from '../storage/disks/kind.ts'
import { external_ip } from '../networking/external-ips/kind.ts'
import { vpc_firewall_rule } from '../networking/firewall-rules/kind.ts'
import { external_subnet } from '../networking/external-subnets/kind.ts'
import { floating_ip } from '../networking/floating-ips/kind.ts'
import { silo_group } from '../identity/groups/kind.ts'
import { saml_identity_provider } from '../identity/identity-providers/kind.ts'
import { oidc_identity_provider } from '../identity/oidc-providers/kind.ts'
import {
  notification_subscription,
  project_notification,
  project_notification_subscription,
  silo_notification,
  system_notification,
} from '../observability/notifications/kind.ts'
import { image, silo_image } from '../storage/images/kind.ts'
import { image_download } from '../storage/image-downloads/kind.ts'
import { instance } from '../compute/instances/kind.ts'
import { instance_template, silo_instance_template } from '../compute/instance-templates/kind.ts'
import {
  internet_gateway,
  internet_gateway_ip_address,
  internet_gateway_ip_pool,
} from '../networking/internet-gateways/kind.ts'
import { ip_pool, system_ip_pool } from '../networking/ip-pools/kind.ts'
import { loopback_address } from '../system-networking/loopback-addresses/kind.ts'
import { multicast_group } from '../networking/multicast-groups/kind.ts'
import { network_interface } from '../networking/network-interfaces/kind.ts'
import { disk_adoption_request, physical_disk } from '../hardware/physical-disks/kind.ts'
import { policy } from '../identity/policies/kind.ts'
import { probe } from '../networking/probes/kind.ts'
import { project } from '../tenancy/projects/kind.ts'
import { rack } from '../hardware/racks/kind.ts'
import { router_route, vpc_router } from '../networking/routers/kind.ts'
import { deleted_resource } from '../workspace/deleted-resources/kind.ts'
import { schedule } from '../compute/schedules/kind.ts'
import type { Kind, NamedKind } from './kind.ts'
import { scim_token } from '../identity/scim-tokens/kind.ts'
import { console_session } from '../identity/sessions/kind.ts'
import { silo } from '../tenancy/silos/kind.ts'
import { host } from '../hardware/hosts/kind.ts'
import { storage_pool } from '../storage/storage-pools/kind.ts'
import { sled } from '../hardware/sleds/kind.ts'
import { snapshot } from '../storage/snapshots/kind.ts'
import { ssh_key } from '../identity/ssh-keys/kind.ts'
import { subnet_pool, system_subnet_pool } from '../networking/subnet-pools/kind.ts'
import { support_bundle } from '../maintenance/support-bundles/kind.ts'
import { vpc_subnet } from '../networking/subnets/kind.ts'
import { switch_port_settings } from '../system-networking/switch-port-settings/kind.ts'
import { switch_port } from '../system-networking/switch-ports/kind.ts'
import { rack_switch } from '../hardware/switches/kind.ts'
import { fleet } from '../maintenance/system/kind.ts'
import { trust_root } from '../maintenance/trust-roots/kind.ts'
import { system_update } from '../maintenance/updates/kind.ts'
import { update_repository, update_upload } from '../maintenance/update-repositories/kind.ts'
import { silo_user } from '../identity/users/kind.ts'
import { vpc } from '../networking/vpcs/kind.ts'
import { audit_log } from './audit-log.ts'
import { job } from './job.ts'
import { dismissal } from './dismissal.ts'
import { star } from './star.ts'
import { project_view, saved_view } from './saved-view.ts'

type Names = Pick<NamedKind, 'type' | 'words' | 'resource'>

/** Adds the names that declarations leave out. */
function named<const Kinds extends Readonly<Record<string, Kind>>>(declared: Kinds) {
  const kinds = Object.entries(declared).map(([name, kind]) => {
    const { type = name.replaceAll('_', '-') } = kind
    const { words = type.replaceAll('-', ' '), resource = `${type}s` } = kind
    return [name, { ...kind, type, words, resource }]
  })
  return Object.fromEntries(kinds) as { readonly [K in keyof Kinds]: Kinds[K] & Names }
}

/**
 * All kinds. The order of those inside a project is the order in which the refusal to delete a
 * project looks for them (control plane 5).
 */
export const kinds = named({
  fleet,
  silo,
  silo_user,
  silo_group,
  certificate,
  saml_identity_provider,
  oidc_identity_provider,
  ssh_key,
  access_token,
  console_session,
  scim_token,
  service_account,
  silo_service_account,
  policy,
  audit_log,
  job,
  saved_view,
  project_view,
  dashboard,
  project_dashboard,
  silo_dashboard,
  star,
  dismissal,
  notification_subscription,
  project_notification_subscription,
  silo_notification,
  system_notification,
  rack,
  rack_switch,
  sled,
  host,
  storage_pool,
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
  silo_instance_template,
  project,
  instance,
  disk,
  floating_ip,
  image,
  image_download,
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
  schedule,
  instance_template,
  deleted_resource,
  project_notification,
})

export type KindName = keyof typeof kinds
/** Kinds whose resources belong to a user. */
export type OwnKind = {
  [K in KindName]: (typeof kinds)[K] extends { parent: 'silo_user' } ? K : never
}[KindName]

/** The declarations, typed as rows with the same optional fields. */
export const kindTable: Record<KindName, NamedKind> = kinds
export const kindNames = Object.keys(kinds) as KindName[]

/** Kinds of the containers of a resource, nearest first: router, VPC, project, silo. */
export function kindsAbove(kind: KindName): KindName[] {
  const parent = kindTable[kind].parent as KindName | undefined
  return parent ? [parent, ...kindsAbove(parent)] : []
}

/** Kinds of the containers of a resource within its project, nearest first. */
export const kindsWithinProject = (kind: KindName): KindName[] => {
  const above = kindsAbove(kind)
  return above.slice(0, Math.max(0, above.indexOf('project')))
}

/**
 * Kinds of the containers in the address of a resource besides its project, nearest first: router and
 * VPC within a project, or the silo of a resource that is selected in any silo.
 */
export const kindsAround = (kind: KindName): KindName[] => {
  const { parent, selectors } = kindTable[kind]
  return parent === 'silo' && selectors ? ['silo'] : kindsWithinProject(kind)
}

/** Whether resources of a kind are inside a project, at any depth. */
export const isInProject = (kind: KindName): boolean => kindsAbove(kind).includes('project')

/** Names of the kinds whose declaration has a given field. */
export type KindsWith<Field extends keyof Kind> = {
  [K in KindName]: (typeof kinds)[K] extends Record<Field, unknown> ? K : never
}[KindName]

/** Kinds whose declaration has a given field, in the order of the table. */
export const kindsWith = <Field extends keyof Kind>(field: Field): KindsWith<Field>[] =>
  kindNames.filter((name) => kindTable[name][field] !== undefined) as KindsWith<Field>[]
