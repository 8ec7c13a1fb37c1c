import type { tables } from '@steading/api'
import { instanceLoadProblem, parseAddress } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import type { HardwareSimulation } from '../../../kernel/ports/hardware.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

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

  async simulated_sled_recover(ctx) {
    authorize(ctx, 'fleet', {})
    const { serial } = ctx.params
    const found = await simulationOf(ctx.services).recover(serial)
    if (!found) throw fail.notFoundByName('simulated-sled', serial)
  },

  async simulated_sled_insert(ctx) {
    authorize(ctx, 'fleet', {})
    const sled = await simulationOf(ctx.services).insertSled()
    if (!sled) throw fail.insufficientCapacity('The rack has no room for another sled')
    return { part_number: sled.part, serial_number: sled.serial }
  },

  async simulated_instance_load_view(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    const { vm_id } = instance
    const load = vm_id === null ? undefined : await simulationOf(ctx.services).load(vm_id)
    const timeOf = (ms: number | undefined) =>
      ms === undefined ? null : new Date(ms).toISOString()
    return {
      cpu: load?.cpu ?? 0,
      disk: load?.disk ?? 0,
      network: load?.network ?? 0,
      time_started: timeOf(load?.from),
      time_ends: timeOf(load?.to),
    }
  },

  async simulated_instance_set_load(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    const simulation = simulationOf(ctx.services)
    const problem = instanceLoadProblem(instance.run_state)
    if (problem) throw fail.invalidRequest(problem)
    const { duration, ...load } = ctx.body
    await simulation.setLoad(instance.vm_id!, load, duration ? duration * 1000 : undefined)
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

  async simulation_view(ctx) {
    authorize(ctx, 'fleet', {})
    const simulation = simulationOf(ctx.services)
    const down = await simulation.uplinksDown()
    return {
      power_supplies: await simulation.powerSupplies(),
      outages: down.map(({ slot, end }) => ({ switch_slot: slot, end })),
    }
  },

  async simulated_power_supply_update(ctx) {
    authorize(ctx, 'fleet', {})
    const { slot } = ctx.params
    const found = await simulationOf(ctx.services).setPowerSupply(slot, ctx.body.present)
    if (!found) throw fail.notFoundByName('simulated-power-supply', String(slot))
  },

  async simulated_uplink_update(ctx) {
    authorize(ctx, 'fleet', {})
    const { switch_slot, end } = ctx.params
    const simulation = simulationOf(ctx.services)
    const { db } = ctx.services.database
    const port = await db
      .selectFrom('switch_port')
      .select('id')
      .where('switch_slot', '=', switch_slot)
      .where('port_name', '=', end)
      .executeTakeFirst()
    if (!port && !parseAddress(end)) throw fail.notFoundByName('simulated-uplink', end)
    await simulation.setUplink(switch_slot, end, ctx.body.up)
  },
}
