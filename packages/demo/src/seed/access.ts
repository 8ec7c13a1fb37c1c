import { FLEET_ID, type SecondFactorKind } from '@steading/api/rules'
import type { Cloud } from './cloud.ts'
import { must } from './cloud.ts'
import { groups, people, sshKeys } from './people.ts'
import type { ProjectSeed } from './projects.ts'
import type { Moment } from './timeline.ts'

/** Ids of users and groups by display name. */
const identityId = async ({ db }: Cloud, table: 'silo_user' | 'silo_group', name: string) =>
  (
    await db
      .selectFrom(table)
      .select('id')
      .where('display_name', '=', name)
      .executeTakeFirstOrThrow()
  ).id

const silo = ({ db }: Cloud) =>
  db.selectFrom('silo').selectAll().where('name', '=', 'main').executeTakeFirstOrThrow()

async function groupAppears(cloud: Cloud, { name, silo: role }: (typeof groups)[number]) {
  const time = cloud.now()
  await cloud.db
    .insertInto('silo_group')
    .values({
      id: crypto.randomUUID(),
      silo_id: (await silo(cloud)).id,
      display_name: name,
      time_created: time,
      time_modified: time,
      time_deleted: null,
    })
    .execute()
  const { roleAssignments } = must(await cloud.api.policyView())
  const identity = await identityId(cloud, 'silo_group', name)
  must(
    await cloud.api.policyUpdate({
      body: {
        roleAssignments: [
          ...roleAssignments,
          { identityId: identity, identityType: 'silo_group', roleName: role },
        ],
      },
    }),
  )
}

async function personJoins(cloud: Cloud, person: (typeof people)[number]) {
  const { db } = cloud
  const time = cloud.now()
  const siloId = (await silo(cloud)).id
  const admin = await db
    .selectFrom('silo_user')
    .selectAll()
    .where('external_id', '=', people[0].username)
    .executeTakeFirstOrThrow()
  const values = { display_name: person.name, time_created: time, time_modified: time }
  const id = person === people[0] ? admin.id : crypto.randomUUID()
  if (id === admin.id) {
    await db.updateTable('silo_user').set(values).where('id', '=', id).execute()
  } else {
    // Same password, so the hash is reused: hashing is slow by design.
    await db
      .insertInto('silo_user')
      .values({ ...admin, id, external_id: person.username, ...values })
      .execute()
  }
  await addFactors(db, id, time, person.factors ?? [])
  const identity = { identity_type: 'silo_user', identity_id: id } as const
  const roles = [
    person.silo && { resource_type: 'silo' as const, resource_id: siloId, role_name: person.silo },
    person.fleet && {
      resource_type: 'fleet' as const,
      resource_id: FLEET_ID,
      role_name: person.fleet,
    },
  ].filter((role) => role !== undefined)
  for (const role of roles) {
    await db
      .insertInto('role_assignment')
      .values({ ...identity, ...role })
      .execute()
  }
}

/** No device has these factors: the keys are random. */
async function addFactors(
  db: Cloud['db'],
  user_id: string,
  time_created: string,
  factors: readonly SecondFactorKind[],
) {
  for (const factor of factors) {
    if (factor === 'totp') {
      const totp = { user_id, secret: 'DEMO', last_period: 0, time_created }
      await db.insertInto('totp').values(totp).execute()
      continue
    }
    const passkey = {
      id: crypto.randomUUID(),
      user_id,
      name: 'Laptop',
      credential_id: crypto.randomUUID(),
      public_key: '',
      counter: 0,
      host: 'steading.example',
      transports: '[]',
      synced: 1,
      time_created,
      time_last_used: null,
    } as const
    await db.insertInto('passkey').values(passkey).execute()
  }
}

/** Users join their groups on the day when both exist. */
async function membersJoin(cloud: Cloud) {
  for (const person of people) {
    for (const group of person.groups ?? []) {
      await cloud.db
        .insertInto('silo_group_membership')
        .values({
          group_id: await identityId(cloud, 'silo_group', group),
          user_id: await identityId(cloud, 'silo_user', person.name),
        })
        .execute()
    }
  }
}

/** Assigns the roles on a project. */
export async function grantRoles(cloud: Cloud, { name, roles }: ProjectSeed): Promise<void> {
  const roleAssignments = await Promise.all(
    roles.map(async ({ group, user, role }) => ({
      identityId: await (group
        ? identityId(cloud, 'silo_group', group)
        : identityId(cloud, 'silo_user', user!)),
      identityType: group ? ('silo_group' as const) : ('silo_user' as const),
      roleName: role,
    })),
  )
  must(await cloud.api.projectPolicyUpdate({ path: { project: name }, body: { roleAssignments } }))
}

export const accessMoments: Moment[] = [
  ...people.map((person) => ({
    daysAgo: person.daysAgo,
    happen: (cloud: Cloud) => personJoins(cloud, person),
  })),
  ...groups.map((group) => ({
    daysAgo: group.daysAgo,
    happen: (cloud: Cloud) => groupAppears(cloud, group),
  })),
  ...sshKeys.map(({ daysAgo, public_key: publicKey, ...key }) => ({
    daysAgo,
    happen: async ({ api }: Cloud) => {
      must(await api.currentUserSshKeyCreate({ body: { ...key, publicKey } }))
    },
  })),
  { daysAgo: 1, happen: membersJoin },
]
