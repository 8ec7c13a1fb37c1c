import type { JobTargetKind, JobThingKind } from '@steading/api/rules'

type DeleteOptions = {
  /** What is done first to what is in the way. */
  chain?: string
  /** What would stay, and can go too. */
  with?: { kind: JobThingKind; label: string }[]
}

const ofGroup = { chain: 'Remove their members first' }

/** What can be asked for besides deleting things. */
export const deleteOptions: Record<JobTargetKind, DeleteOptions> = {
  instance: {
    chain: 'Stop running instances first',
    with: [{ kind: 'disk', label: 'Delete their disks too' }],
  },
  disk: {
    chain: 'Stop instances and detach the disks first',
    with: [{ kind: 'snapshot', label: 'Delete their snapshots too' }],
  },
  snapshot: {},
  image: {},
  floating_ip: { chain: 'Detach them first' },
  affinity_group: ofGroup,
  anti_affinity_group: ofGroup,
  project: { chain: 'Delete everything in them first' },
}
