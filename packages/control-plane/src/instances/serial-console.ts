import { instanceCan } from '@steading/api/rules'
import type { Context } from '../context.ts'
import { lookupChild } from '../http/child.ts'
import { fail } from '../http/errors.ts'
import type { SocketHandler } from '../http/sockets.ts'
import type { InstanceRow } from './view.ts'

/**
 * The VM whose serial console can be reached now.
 * @throws ApiError 400 in states without one
 */
export function consoleVm(row: InstanceRow): string {
  if (row.vm_id === null) {
    throw fail.invalidRequest(
      `instance is ${row.run_state} and has no active serial console server`,
    )
  }
  if (!instanceCan('serialConsole', row.run_state)) {
    throw fail.invalidRequest(
      `cannot connect to serial console of instance in state "${row.run_state}"`,
    )
  }
  return row.vm_id
}

/** Opens the stream of a serial console for the host to connect to a WebSocket. */
export async function openSerialConsole(
  ctx: Context<'instance_serial_console_stream'>,
): Promise<SocketHandler> {
  const row = await lookupChild(ctx, 'instance', ctx.params.instance, ctx.query)
  return ctx.services.engine.openConsole(consoleVm(row), ctx.query.most_recent ?? undefined)
}
