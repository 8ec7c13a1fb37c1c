import type { tables } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { fail } from '../../kernel/errors.ts'
import type { HardwareSimulation } from '../../kernel/ports/hardware.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'

/** @throws ApiError 404 where the hardware is real */
function simulationOf({ simulation }: ControlPlaneServices): HardwareSimulation {
  if (!simulation) throw fail.notFoundOther('simulated hardware')
  return simulation
}

export const simulationHandlers: Handlers<typeof tables.simulationOperations> = {
  async simulated_sled_set_power(ctx) {
    authorize(ctx, 'fleet', {})
    const { serial } = ctx.params
    const found = await simulationOf(ctx.services).setPower(serial, ctx.body.on)
    if (!found) throw fail.notFoundByName('simulated-sled', serial)
  },

  async simulated_sled_insert(ctx) {
    authorize(ctx, 'fleet', {})
    const sled = await simulationOf(ctx.services).insertSled()
    if (!sled) throw fail.insufficientCapacity('The rack has no room for another sled')
    return { part_number: sled.part, serial_number: sled.serial }
  },

  async simulated_disk_set_health(ctx) {
    authorize(ctx, 'fleet', {})
    const { serial } = ctx.params
    const found = await simulationOf(ctx.services).setHealth(serial, ctx.body.healthy)
    if (!found) throw fail.notFoundByName('simulated-disk', serial)
  },

  async simulated_disk_replace(ctx) {
    authorize(ctx, 'fleet', {})
    const { serial } = ctx.params
    const disk = await simulationOf(ctx.services).replaceDisk(serial)
    if (!disk) throw fail.notFoundByName('simulated-disk', serial)
    return disk
  },
}
