/** A project named `work`, with instances and disks for tests of jobs. */
import type { Wire } from '@steading/api'
import type { Caller } from './caller.ts'
import { startTestServer, type TestServer } from './harness.ts'
import { targets } from './jobs.ts'
import { detachedDisk, reaches, stoppedInstance } from './things.ts'

const query = { project: 'work' }

export async function startWork() {
  const server = await startTestServer()
  const { admin } = server
  const body = { name: 'work', description: '' }
  const { id: projectId } = await admin.call('project_create', { body })
  return { server, admin, projectId }
}

/** @param adminOf the administrator, once the server has started */
export function workThings(adminOf: () => Caller) {
  let count = 0
  const fresh = (word: string): string => `${word}-${count++}`
  const stopped = (values: object = {}) => stoppedInstance(adminOf(), query, fresh('box'), values)
  return {
    query,
    /** A name that nothing has yet. */
    fresh,
    stopped,
    async running(values: object = {}): Promise<Wire.Instance> {
      const { id } = await stopped(values)
      await adminOf().call('instance_start', { params: { instance: id } })
      return reaches(adminOf(), id, 'running')
    },
    aDisk: (values: object = {}) => detachedDisk(adminOf(), query, fresh('disk'), values),
    stateOf: async (id: string) =>
      (await adminOf().call('instance_view', { params: { instance: id } })).run_state,
  }
}

export const idsOf = (things: { id: string }[]) => targets(...things.map(({ id }) => id))

/** Prevents machines from stopping or starting until the returned function is called. */
export function holdMachines({ host }: TestServer): () => void {
  const { faults } = host.controlPlane.engines
  faults.inject((action) => {
    if (action === 'stop' || action === 'run') throw new Error('held')
  })
  return () => faults.inject()
}
