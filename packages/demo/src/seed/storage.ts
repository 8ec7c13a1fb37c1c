import { GiB } from '@steading/api/rules'
import { named } from '@steading/control-plane'
import { type Cloud, must } from './cloud.ts'
import {
  type DiskSeed,
  type ImageSeed,
  projects,
  siloImages,
  type SnapshotSeed,
} from './projects.ts'
import type { Moment } from './timeline.ts'

const BLOCK_SIZE = 512

export const byName = async <T extends 'disk' | 'snapshot' | 'image' | 'instance' | 'project'>(
  { db }: Pick<Cloud, 'db'>,
  table: T,
  name: string,
) =>
  db
    .selectFrom(table as 'disk')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

const identity = (cloud: Cloud, { name, description }: { name: string; description: string }) => {
  const time = cloud.now()
  return {
    id: crypto.randomUUID(),
    ...named(name),
    description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
}

async function makeImage(cloud: Cloud, image: ImageSeed, project?: string): Promise<void> {
  const silo = await cloud.db
    .selectFrom('silo')
    .select('id')
    .where('name', '=', 'main')
    .executeTakeFirstOrThrow()
  await cloud.db
    .insertInto('image')
    .values({
      ...identity(cloud, image),
      silo_id: silo.id,
      project_id: project ? (await byName(cloud, 'project', project)).id : null,
      os: image.os,
      version: image.version,
      size: image.size * GiB,
      block_size: BLOCK_SIZE,
      snapshot_id: null,
    })
    .execute()
}

async function takeSnapshot(cloud: Cloud, snapshot: SnapshotSeed): Promise<void> {
  const disk = await byName(cloud, 'disk', snapshot.disk)
  const { name, description } = snapshot
  const project = disk.project_id
  const { id } = must(
    await cloud.api.snapshotCreate({
      query: { project },
      body: { name, description, disk: disk.id },
    }),
  )
  if (!snapshot.faulted) return
  await cloud.settled()
  await cloud.db.updateTable('snapshot').set({ state: 'faulted' }).where('id', '=', id).execute()
}

async function makeDisk(cloud: Cloud, project: string, disk: DiskSeed): Promise<void> {
  const { name, description, size } = disk
  const diskSource = disk.snapshot
    ? ({
        type: 'snapshot',
        snapshotId: (await byName(cloud, 'snapshot', disk.snapshot)).id,
      } as const)
    : ({ type: disk.importing ? 'importing_blocks' : 'blank', blockSize: BLOCK_SIZE } as const)
  const { id } = must(
    await cloud.api.diskCreate({
      query: { project },
      body: {
        name,
        description,
        size: size * GiB,
        diskBackend: disk.local ? { type: 'local' } : { type: 'distributed', diskSource },
      },
    }),
  )
  if (!disk.faulted) return
  await cloud.settled()
  await cloud.db.updateTable('disk').set({ state: 'faulted' }).where('id', '=', id).execute()
}

export const storageMoments: Moment[] = [
  ...siloImages.map((image) => ({
    daysAgo: image.daysAgo,
    happen: (cloud: Cloud) => makeImage(cloud, image),
  })),
  ...projects.flatMap((project) => [
    ...project.images.map((image) => ({
      daysAgo: image.daysAgo,
      happen: (cloud: Cloud) => makeImage(cloud, image, project.name),
    })),
    ...project.disks.map((disk) => ({
      daysAgo: disk.daysAgo,
      happen: (cloud: Cloud) => makeDisk(cloud, project.name, disk),
    })),
    ...project.snapshots.map((snapshot) => ({
      daysAgo: snapshot.daysAgo,
      happen: (cloud: Cloud) => takeSnapshot(cloud, snapshot),
    })),
  ]),
]
