import type { tables } from '@steading/api'
import { instanceRefusal, onlyAsksForUpdates } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { DisplayUnavailable } from '../../../kernel/ports/displays.ts'
import { type ShownDisplay, showDisplay } from './show-display.ts'

/**
 * The machine of an instance whose screen can be seen, and the engine's screens.
 * @throws ApiError 501 with an engine without screens, 400 in states without one
 */
async function findScreen(ctx: Context<'instance_display' | 'instance_screenshot'>) {
  const row = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
  const displays = enginePart(ctx.services, 'displays')
  refuseIf(instanceRefusal('display', row.run_state, row.vm_id !== null))
  return { row, machineId: row.vm_id!, displays }
}

/** @throws ApiError 503 if there is no screen at present */
const available = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof DisplayUnavailable ? fail.unavailable(error.message) : error
  })

export const displayHandlers: Handlers<typeof tables.displayOperations> = {
  async instance_display(ctx) {
    const { row, machineId, displays } = await findScreen(ctx)
    const stream = await available(displays.open(machineId))
    let shown: ShownDisplay | undefined
    return {
      async check(actor) {
        const { db, requiredActions } = ctx
        await lookup({ db, requiredActions, actor }, 'instance', row.id)
      },
      open(socket) {
        shown = showDisplay(stream, socket)
      },
      message: (data) => shown?.input(data),
      isUse: (data) => !onlyAsksForUpdates(data),
      text: () => {},
      sent: () => shown?.drained(),
      closed() {
        if (shown) return shown.leave()
        // The client was gone before the socket was open.
        void stream.readable.cancel().catch(() => {})
        void stream.writable.abort().catch(() => {})
      },
    }
  },
  async instance_screenshot(ctx) {
    const { machineId, displays } = await findScreen(ctx)
    return available(displays.screenshot(machineId))
  },
}
