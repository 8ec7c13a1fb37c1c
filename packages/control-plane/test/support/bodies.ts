/** The plainest bodies of things that many tests need. */
const GiB = 2 ** 30

/** Never started, so that nothing happens behind a test's back. */
export const instanceBody = (name: string) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
})

export const diskBody = (name: string, size = GiB) => ({
  name,
  description: '',
  size,
  disk_backend: {
    type: 'distributed' as const,
    disk_source: { type: 'blank' as const, block_size: 512 as const },
  },
})

export const sshKeyBody = (name: string) => ({ name, description: '', public_key: 'ssh-ed25519 A' })

/** Of an affinity or anti-affinity group. */
export const affinityBody = (name: string) => ({
  name,
  description: '',
  policy: 'allow' as const,
  failure_domain: 'sled' as const,
})
