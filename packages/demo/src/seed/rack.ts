/** History of the rack: sleds were added and removed, and disks failed. */
import { type Cloud, must, nextTurn } from './cloud.ts'
import type { Moment } from './timeline.ts'

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn()
}

const sledCalled = ({ db }: Cloud, serial: string) =>
  db.selectFrom('sled').select(['id', 'state']).where('name', '=', serial).executeTakeFirst()

const diskCalled = ({ db }: Cloud, serial: string) =>
  db
    .selectFrom('physical_disk')
    .select(['id', 'state'])
    .where('name', '=', serial)
    .executeTakeFirstOrThrow()

/** A defective sled is expunged before anything runs on it, and removed. */
async function sledGoesBack(cloud: Cloud): Promise<void> {
  const serial = 'BRM-0003'
  const sled = (await sledCalled(cloud, serial))!
  must(await cloud.api.sledExpunge({ path: { sledId: sled.id } }))
  await until(async () => (await sledCalled(cloud, serial))!.state === 'decommissioned')
  must(await cloud.api.simulatedSledSetPower({ path: { serial }, body: { on: false } }))
}

/** A sled is inserted, and waits to be added. */
async function sledComes({ api }: Cloud) {
  const sled = must(await api.simulatedSledInsert())
  await until(async () => {
    const { items } = must(await api.sledListUninitialized({}))
    return items.some(({ baseboard }) => baseboard.serial === sled.serialNumber)
  })
  return sled
}

async function sledJoins(cloud: Cloud): Promise<void> {
  const sled = await sledComes(cloud)
  const { items } = must(await cloud.api.rackList({}))
  const path = { rackId: items[0]!.id }
  must(await cloud.api.rackMembershipAddSleds({ path, body: { sledIds: [sled] } }))
  await until(async () => (await sledCalled(cloud, sled.serialNumber)) !== undefined)
}

/** A disk is replaced, and the new one waits to be adopted. */
async function diskIsReplaced(cloud: Cloud): Promise<void> {
  const serial = 'BRM-0004-U2-7'
  const { id } = await diskCalled(cloud, serial)
  must(await cloud.api.physicalDiskExpunge({ path: { diskId: id } }))
  await until(async () => (await diskCalled(cloud, serial)).state === 'decommissioned')
  must(await cloud.api.simulatedDiskReplace({ path: { serial } }))
}

const diskFails = async ({ api }: Cloud) =>
  must(
    await api.simulatedDiskSetHealth({
      path: { serial: 'BRM-0001-U2-3' },
      body: { healthy: false },
    }),
  )

/** The instances of a sled move away before its fans are replaced. */
async function sledIsDrained(cloud: Cloud): Promise<void> {
  const { id } = (await sledCalled(cloud, 'BRM-0002'))!
  must(
    await cloud.api.sledMaintenanceBegin({
      path: { sledId: id },
      body: { reason: 'Replacement of two fans', unmovable: 'leave' },
    }),
  )
  await until(async () => {
    const { progress } = must(await cloud.api.sledMaintenanceStatus({ path: { sledId: id } }))
    return progress!.moving + progress!.waiting === 0
  })
}

export const rackMoments: Moment[] = [
  { daysAgo: 213, happen: sledGoesBack },
  { daysAgo: 204, happen: sledJoins },
  { daysAgo: 35, happen: diskIsReplaced },
  { daysAgo: 3, happen: diskFails },
  { daysAgo: 1.1, happen: sledIsDrained },
  { daysAgo: 0.4, happen: sledComes },
]
