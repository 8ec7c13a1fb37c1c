import type { ApiClient, SiloCreate } from '@steading/api/client'
import { GiB, oidcCallbackPath, oidcDefaults } from '@steading/api/rules'
import { stringToBase64 } from 'uint8array-extras'
import { DEMO_ISSUER } from '../host/oidc.ts'
import { type Cloud, must } from './cloud.ts'
import { ADMINS, CLIENT_ID, ENTITY_ID, GROUPS, metadataOf, PROVIDER } from '../provider/provider.ts'
import { people } from './people.ts'
import type { Moment } from './timeline.ts'

/** Additional silos, visible to operators. Sizes in GiB, ages in days. */
interface SiloSeed {
  name: string
  description: string
  daysAgo: number
  identityMode: SiloCreate['identityMode']
  mappedFleetRoles?: SiloCreate['mappedFleetRoles']
  adminGroupName?: string
  quotas: { cpus: number; memory: number; storage: number }
  /** Content created by its first administrator. */
  content?: {
    admin: { username: string; name: string }
    project: string
    instances: { name: string; cpus: number; memory: number }[]
    disks: { name: string; size: number }[]
  }
}

const silos: SiloSeed[] = [
  {
    name: 'observatory',
    description: 'Astronomy group, with its own pipelines',
    daysAgo: 132,
    identityMode: 'local_only',
    quotas: { cpus: 64, memory: 256, storage: 8192 },
    content: {
      admin: { username: 'ines-duarte', name: 'Ines Duarte' },
      project: 'sky-resync',
      instances: [
        { name: 'reduction-1', cpus: 24, memory: 96 },
        { name: 'reduction-2', cpus: 24, memory: 96 },
      ],
      disks: [
        { name: 'plates-2026', size: 1023 },
        { name: 'plates-2025', size: 1023 },
        { name: 'catalogue', size: 400 },
      ],
    },
  },
  {
    name: 'brewery',
    description: 'Shop and cellar sensors of a customer',
    daysAgo: 77,
    identityMode: 'local_only',
    quotas: { cpus: 8, memory: 16, storage: 512 },
    content: {
      admin: { username: 'otto-brandt', name: 'Otto Brandt' },
      project: 'cellar',
      instances: [{ name: 'sensors', cpus: 2, memory: 14 }],
      disks: [{ name: 'measurements', size: 120 }],
    },
  },
  {
    name: 'city-archive',
    description: 'Its users sign in through an identity provider',
    daysAgo: 6,
    identityMode: 'saml_jit',
    mappedFleetRoles: { viewer: ['viewer'] },
    adminGroupName: ADMINS,
    quotas: { cpus: 32, memory: 128, storage: 4096 },
  },
  {
    name: 'harbour-office',
    description: 'Its users sign in through OpenID Connect',
    daysAgo: 4,
    identityMode: 'saml_jit',
    adminGroupName: ADMINS,
    quotas: { cpus: 16, memory: 64, storage: 1024 },
  },
]

/** The first administrator of a silo, and their API client. */
async function firstAdmin(
  { db, api, as, now }: Cloud,
  silo: string,
  { username, name }: NonNullable<SiloSeed['content']>['admin'],
): Promise<ApiClient> {
  const time = now()
  const { id: silo_id } = must(await api.siloView({ path: { silo } }))
  // Same password as all other users, so the hash is reused: hashing is slow by design.
  const model = await db
    .selectFrom('silo_user')
    .selectAll()
    .where('external_id', '=', people[0].username)
    .executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  await db
    .insertInto('silo_user')
    .values({
      ...model,
      id,
      silo_id,
      external_id: username,
      display_name: name,
      time_created: time,
      time_modified: time,
    })
    .execute()
  const admin = { identityId: id, identityType: 'silo_user', roleName: 'admin' } as const
  must(await api.siloPolicyUpdate({ path: { silo }, body: { roleAssignments: [admin] } }))
  return as(id)
}

async function fill(
  api: ApiClient,
  { project, instances, disks }: NonNullable<SiloSeed['content']>,
): Promise<void> {
  const query = { project }
  must(await api.projectCreate({ body: { name: project, description: '' } }))
  for (const { name, cpus, memory } of instances) {
    const size = { ncpus: cpus, memory: memory * GiB }
    must(
      await api.instanceCreate({ query, body: { name, description: '', hostname: name, ...size } }),
    )
  }
  for (const { name, size } of disks) {
    const diskBackend = {
      type: 'distributed',
      diskSource: { type: 'blank', blockSize: 4096 },
    } as const
    must(
      await api.diskCreate({
        query,
        body: { name, description: '', size: size * GiB, diskBackend },
      }),
    )
  }
}

async function siloAppears(cloud: Cloud, { content, quotas, ...silo }: SiloSeed): Promise<void> {
  const { name, description, identityMode, mappedFleetRoles = {}, adminGroupName } = silo
  must(
    await cloud.api.siloCreate({
      body: {
        name,
        description,
        identityMode,
        mappedFleetRoles,
        adminGroupName,
        discoverable: true,
        quotas: {
          cpus: quotas.cpus,
          memory: quotas.memory * GiB,
          storage: quotas.storage * GiB,
        },
        tlsCertificates: [],
      },
    }),
  )
  if (!content) return
  const body = { silo: name, isDefault: true }
  must(await cloud.api.systemIpPoolSiloLink({ path: { pool: 'default' }, body }))
  await fill(await firstAdmin(cloud, name, content.admin), content)
}

/** Users of one silo sign in through the demo's identity provider. */
async function providerAppears({ api, origin }: Cloud): Promise<void> {
  const { silo, name } = PROVIDER
  must(
    await api.samlIdentityProviderCreate({
      query: { silo },
      body: {
        name,
        description: 'In place of a real provider, inside this page',
        idpMetadataSource: { type: 'base64_encoded_xml', data: stringToBase64(metadataOf(origin)) },
        idpEntityId: ENTITY_ID,
        spClientId: CLIENT_ID,
        acsUrl: `${origin}/login/${silo}/saml/${name}`,
        sloUrl: `${origin}/town-hall/sign-out`,
        technicalContactEmail: 'it@city-archive.example',
        groupAttributeName: GROUPS,
      },
    }),
  )
}

/** Users of another silo would sign in through OpenID Connect. */
async function openIdAppears({ api, origin }: Cloud): Promise<void> {
  const [silo, name] = ['harbour-office', 'pier']
  must(
    await api.oidcIdentityProviderCreate({
      query: { silo },
      body: {
        ...oidcDefaults,
        name,
        description: 'The accounts of the harbour',
        issuer: DEMO_ISSUER,
        clientId: 'steading',
        clientSecret: null,
        scopes: [...oidcDefaults.scopes],
        redirectUri: origin + oidcCallbackPath(silo, name),
        signOutAtProvider: true,
      },
    }),
  )
}

export const siloMoments: Moment[] = [
  ...silos.map((silo) => ({
    daysAgo: silo.daysAgo,
    happen: (cloud: Cloud) => siloAppears(cloud, silo),
  })),
  { daysAgo: 5, happen: providerAppears },
  { daysAgo: 3, happen: openIdAppears },
]
