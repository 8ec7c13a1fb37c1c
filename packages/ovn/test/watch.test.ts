/** Whether a host can look for packets, which depends on its kernel. */
import { expect, onTestFinished, test } from 'vitest'
import { type Run, systemHost } from '../src/index.ts'
import { canWatch } from '../src/packet/watch.ts'
import { openWorld, ovnMissing } from './support/open-world.ts'

test.skipIf(ovnMissing() !== undefined)(
  'a host is tried once, and keeps no trace of it',
  async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    await systemHost(world.run, world.southbound).prepare()
    // The kernel refuses the hooks to somebody without rights, as an old one does to all.
    const without: Run = (...command) => world.run('setpriv', '--reuid=65534', ...command)
    expect(await canWatch(without)).toBe(false)
    expect(await canWatch(world.run)).toBe(true)
    expect(await world.run('nft', 'list', 'tables', 'netdev')).toBe('')
  },
)
