/** Operators' resources: silos, pools, and the connection of the rack. */
import type { SiloCreate } from '../client/index.ts'
import type { Configuration } from './configuration.ts'
import type { Hcl } from './hcl.ts'
import { type Writers, existingRemark, removed, deletion, contentsOf } from './shared.ts'

/** Keys of a map keep their spelling, in the provider as in the API. */
const fleetRoles = (mapped: SiloCreate['mappedFleetRoles'] = {}): Hcl | undefined =>
  Object.keys(mapped).length > 0
    ? Object.fromEntries(
        Object.entries(mapped).map(([role, roles]) => [
          role.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          roles,
        ]),
      )
    : undefined

function siloResource(to: Configuration, silo: SiloCreate): void {
  const { name, description, discoverable, identityMode, quotas } = silo
  to.resource('oxide_silo', name, {
    name,
    description,
    discoverable,
    identity_mode: identityMode,
    admin_group_name: silo.adminGroupName ?? undefined,
    mapped_fleet_roles: fleetRoles(silo.mappedFleetRoles),
    quotas: { ...quotas },
    tls_certificates: silo.tlsCertificates.map((each) => ({
      name: each.name,
      description: each.description,
      cert: each.cert,
      key: each.key,
      service: each.service,
    })),
  })
}

/** A whole document in the provider's spelling, without missing and null fields. */
const snakeCased = (fields: object): { [key: string]: Hcl } =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        snakeValue(value),
      ]),
  )

const snakeValue = (value: unknown): Hcl => {
  if (Array.isArray(value)) return value.map(snakeValue)
  return typeof value === 'object' && value !== null ? snakeCased(value) : (value as Hcl)
}

/** Label for a link between a pool and a silo, which has no name itself. */
const linkName = (to: Configuration, pool: string, silo: string): string =>
  `${to.nameOf('ipPool', pool)}-${to.nameOf('silo', silo)}`

const subnetLinkName = (to: Configuration, pool: string, silo: string): string =>
  `${to.nameOf('subnetPool', pool)}-${to.nameOf('silo', silo)}`

export const system: Writers = {
  siloCreate: ({ body }, to) => siloResource(to, body),
  samlIdentityProviderCreate: ({ query, body }, to) => {
    const { idpMetadataSource: source, signingKeypair: pair } = body
    to.resource('oxide_silo_saml_identity_provider', body.name, {
      silo: to.idOf('silo', query.silo),
      name: body.name,
      description: body.description,
      technical_contact_email: body.technicalContactEmail,
      sp_client_id: body.spClientId,
      acs_url: body.acsUrl,
      slo_url: body.sloUrl,
      idp_entity_id: body.idpEntityId,
      group_attribute_name: body.groupAttributeName ?? undefined,
      idp_metadata_source:
        source.type === 'url'
          ? { ...source }
          : { type: source.type, data: contentsOf(source.data) },
      signing_keypair: pair
        ? { public_cert: contentsOf(pair.publicCert), private_key: contentsOf(pair.privateKey) }
        : undefined,
    })
  },
  siloDelete: ({ path }, to) => deletion(to, 'oxide_silo', 'silo', path.silo),
  siloQuotasUpdate: ({ path, body: { cpus, memory, storage } }, to) =>
    to.change('oxide_silo', to.nameOf('silo', path.silo), {
      quotas: { cpus: cpus ?? null, memory: memory ?? null, storage: storage ?? null },
    }),
  systemIpPoolCreate: ({ body: { name, description, ipVersion } }, to) =>
    to.resource('oxide_ip_pool', name, { name, description, ip_version: ipVersion }),
  systemIpPoolUpdate: ({ path, body }, to) =>
    to.change('oxide_ip_pool', to.nameOf('ipPool', path.pool), { ...body }),
  systemIpPoolDelete: ({ path }, to) => deletion(to, 'oxide_ip_pool', 'ipPool', path.pool),
  systemIpPoolRangeAdd: ({ path, body }, to) =>
    to.change('oxide_ip_pool', to.nameOf('ipPool', path.pool), {
      ranges: [existingRemark('ranges'), { first_address: body.first, last_address: body.last }],
    }),
  systemIpPoolRangeRemove: ({ path, body }, to) =>
    removed(
      to,
      `the range from ${body.first} to ${body.last}`,
      `ranges of the oxide_ip_pool “${to.nameOf('ipPool', path.pool)}”`,
    ),
  systemIpPoolSiloLink: ({ path, body }, to) =>
    to.resource('oxide_ip_pool_silo_link', linkName(to, path.pool, body.silo), {
      ip_pool_id: to.idOf('ipPool', path.pool),
      silo_id: to.idOf('silo', body.silo),
      is_default: body.isDefault,
    }),
  systemIpPoolSiloUpdate: ({ path, body }, to) =>
    to.change('oxide_ip_pool_silo_link', linkName(to, path.pool, path.silo), {
      is_default: body.isDefault,
    }),
  networkingAddressLotCreate: ({ body: { name, description, kind, blocks } }, to) =>
    to.resource('oxide_address_lot', name, {
      name,
      description,
      kind,
      blocks: blocks.map(({ firstAddress, lastAddress }) => ({
        first_address: firstAddress,
        last_address: lastAddress,
      })),
    }),
  networkingAddressLotDelete: ({ path }, to) =>
    deletion(to, 'oxide_address_lot', 'addressLot', path.addressLot),
  networkingSwitchPortSettingsCreate: ({ body }, to) =>
    to.resource(
      'oxide_switch_port_settings',
      body.name,
      snakeCased({ ...body, groups: body.groups?.length ? body.groups : undefined }),
    ),
  networkingSwitchPortSettingsDelete: ({ query }, to) =>
    to.note(
      `Remove the oxide_switch_port_settings of “${query?.portSettings}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
  systemSubnetPoolCreate: ({ body: { name, description, ipVersion } }, to) =>
    to.resource('oxide_system_subnet_pool', name, { name, description, ip_version: ipVersion }),
  systemSubnetPoolUpdate: ({ path, body }, to) =>
    to.change('oxide_system_subnet_pool', to.nameOf('subnetPool', path.pool), { ...body }),
  systemSubnetPoolDelete: ({ path }, to) =>
    deletion(to, 'oxide_system_subnet_pool', 'subnetPool', path.pool),
  systemSubnetPoolMemberAdd: ({ path, body }, to) => {
    to.resource('oxide_system_subnet_pool_member', body.subnet, {
      pool: to.nameOf('subnetPool', path.pool),
      subnet: body.subnet,
    })
    if ((body.minPrefixLength ?? body.maxPrefixLength) !== undefined) {
      to.note('The Terraform provider has no attributes for the lengths of prefixes.')
    }
  },
  systemSubnetPoolMemberRemove: ({ body }, to) =>
    to.note(
      `Remove the oxide_system_subnet_pool_member of ${body.subnet} from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
  systemSubnetPoolSiloLink: ({ path, body }, to) =>
    to.resource('oxide_system_subnet_pool_silo_link', subnetLinkName(to, path.pool, body.silo), {
      pool: to.nameOf('subnetPool', path.pool),
      silo: to.nameOf('silo', body.silo),
      is_default: body.isDefault,
    }),
  systemSubnetPoolSiloUpdate: ({ path, body }, to) =>
    to.change('oxide_system_subnet_pool_silo_link', subnetLinkName(to, path.pool, path.silo), {
      is_default: body.isDefault,
    }),
  systemSubnetPoolSiloUnlink: ({ path }, to) =>
    to.note(
      `Remove the oxide_system_subnet_pool_silo_link of the pool “${to.nameOf('subnetPool', path.pool)}” and the silo “${to.nameOf('silo', path.silo)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
  systemIpPoolSiloUnlink: ({ path }, to) =>
    to.note(
      `Remove the oxide_ip_pool_silo_link of the pool “${to.nameOf('ipPool', path.pool)}” and the silo “${to.nameOf('silo', path.silo)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
}
