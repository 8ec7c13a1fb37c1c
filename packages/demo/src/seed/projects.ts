import type { ProjectRole } from '@steading/api/rules'

/** Sizes in GiB, ages in days. */
export interface ProjectSeed {
  name: string
  description: string
  daysAgo: number
  roles: { group?: string; user?: string; role: ProjectRole }[]
  images: ImageSeed[]
  disks: DiskSeed[]
  snapshots: SnapshotSeed[]
}

export interface ImageSeed {
  name: string
  description: string
  os: string
  version: string
  size: number
  daysAgo: number
}

export interface DiskSeed {
  name: string
  description: string
  size: number
  daysAgo: number
  /** Source snapshot; a blank disk if absent. */
  snapshot?: string
  importing?: true
  local?: true
  faulted?: true
}

export interface SnapshotSeed {
  name: string
  description: string
  disk: string
  daysAgo: number
  faulted?: true
}

/** Images of the whole silo, in addition to the initial ones. */
export const siloImages: ImageSeed[] = [
  {
    name: 'rocky-linux-10',
    description: 'Rocky Linux 10',
    os: 'Rocky Linux',
    version: '10',
    size: 4,
    daysAgo: 167,
  },
  {
    name: 'alpine-3-22',
    description: 'Alpine Linux 3.22',
    os: 'Alpine',
    version: '3.22',
    size: 1,
    daysAgo: 74,
  },
]

export const projects: ProjectSeed[] = [
  {
    name: 'storefront',
    description: 'Shop, checkout and search',
    daysAgo: 197,
    roles: [
      { group: 'web', role: 'collaborator' },
      { user: 'Priya Raman', role: 'viewer' },
    ],
    images: [],
    disks: [
      {
        name: 'product-images',
        description: 'Originals before the move to object storage',
        size: 500,
        daysAgo: 190,
      },
      {
        name: 'web-1-rollback',
        description: 'Boot disk from before the upgrade',
        size: 40,
        daysAgo: 12,
        snapshot: 'web-1-before-upgrade',
      },
    ],
    snapshots: [
      {
        name: 'web-1-before-upgrade',
        description: 'Before Ubuntu point release',
        disk: 'web-1-boot',
        daysAgo: 13,
      },
    ],
  },
  {
    name: 'data-platform',
    description: 'Databases, streams and notebooks',
    daysAgo: 171,
    roles: [
      { group: 'data', role: 'admin' },
      { user: 'Jonas Weber', role: 'limited_collaborator' },
    ],
    images: [
      {
        name: 'postgres-18-base',
        description: 'Debian 13 with PostgreSQL 18 and our tuning',
        os: 'Debian',
        version: '13',
        size: 6,
        daysAgo: 43,
      },
    ],
    disks: [
      {
        name: 'warehouse-archive',
        description: 'Partitions older than two years',
        size: 900,
        daysAgo: 110,
      },
      {
        name: 'restore-drill',
        description: 'Monthly test that backups can be restored',
        size: 800,
        daysAgo: 6,
        snapshot: 'postgres-nightly',
      },
      {
        name: 'events-import',
        description: 'Waiting for the upload from the old provider',
        size: 300,
        daysAgo: 1.2,
        importing: true,
      },
      {
        name: 'clickhouse-2-data-old',
        description: 'Replaced after a media error',
        size: 1000,
        daysAgo: 152,
        faulted: true,
      },
    ],
    snapshots: [
      {
        name: 'postgres-before-18',
        description: 'Before the major upgrade',
        disk: 'postgres-primary-data',
        daysAgo: 44,
      },
      {
        name: 'postgres-nightly',
        description: 'Kept until the next one is verified',
        disk: 'postgres-primary-data',
        daysAgo: 6.4,
      },
      {
        name: 'clickhouse-1-weekly',
        description: '',
        disk: 'clickhouse-1-data',
        daysAgo: 4.1,
      },
    ],
  },
  {
    name: 'ci-runners',
    description: 'Build machines and their cache',
    daysAgo: 122,
    roles: [
      { group: 'platform', role: 'admin' },
      { user: 'Sofia Marchetti', role: 'viewer' },
    ],
    images: [
      {
        name: 'runner-base',
        description: 'Ubuntu 24.04 with the toolchains',
        os: 'Ubuntu',
        version: '24.04',
        size: 12,
        daysAgo: 119,
      },
    ],
    disks: [
      {
        name: 'scratch',
        description: 'Local space for large checkouts',
        size: 256,
        daysAgo: 64,
        local: true,
      },
    ],
    snapshots: [
      {
        name: 'build-cache-warm',
        description: 'A full cache, to seed new regions',
        disk: 'build-cache-data',
        daysAgo: 31,
      },
    ],
  },
  {
    name: 'render-farm',
    description: 'Product films, a frame at a time',
    daysAgo: 65,
    roles: [{ group: 'platform', role: 'admin' }],
    images: [],
    disks: [],
    snapshots: [],
  },
]
