import { type ComponentKind, sledComponents, switchComponents } from '@steading/api/rules'
import { allInPages } from '@steading/control-plane/engine'
import type { EngineContext, SeenComponent, Updates } from '@steading/control-plane/ports'
import type { Faults } from './faults.ts'
import type { SimulatedOptions } from './options.ts'
import './hardware-tables.ts'

/** Software of simulated hardware; installing a component takes as long as a reboot. */
export function createSimulatedUpdates(
  { database: { db }, clock }: Pick<EngineContext, 'database' | 'clock'>,
  options: SimulatedOptions,
  { check }: Faults,
): Updates {
  /** Completes due installations, except on sleds that are down. */
  const finish = (): Promise<unknown> =>
    db
      .updateTable('simulated_component')
      .set((eb) => ({ artifact: eb.ref('next'), next: null, ready_at: null }))
      .where('ready_at', '<=', clock().getTime())
      .where('serial', 'not in', (eb) =>
        eb.selectFrom('simulated_sled').select('simulated_sled.serial').where('down', '=', 1),
      )
      .execute()

  return {
    async look() {
      const installing = await db
        .selectFrom('simulated_component')
        .select('serial')
        .where('ready_at', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      if (installing) await finish()
      const sleds = await allInPages(
        db.selectFrom('simulated_sled').select(['serial', 'recovered', 'cubby']),
        'serial',
      )
      sleds.sort((a, b) => a.cubby - b.cubby)
      const switches = await db
        .selectFrom('simulated_switch')
        .select('serial')
        .orderBy('slot')
        .execute()
      const rows = await db.selectFrom('simulated_component').selectAll().execute()
      const rowsOf = Map.groupBy(rows, ({ serial }) => serial)
      const seen =
        (on: SeenComponent['on'], kinds: object) =>
        ({ serial }: { serial: string }): SeenComponent[] =>
          (Object.keys(kinds) as ComponentKind[]).map((kind) => {
            const row = rowsOf.get(serial)?.find((its) => its.kind === kind)
            const artifact = row?.artifact ?? null
            const next = row?.next
            return next === null || next === undefined
              ? { on, serial, kind, artifact }
              : {
                  on,
                  serial,
                  kind,
                  artifact,
                  installing: {
                    artifact: next,
                    readyAt: new Date(Number(row!.ready_at)).toISOString(),
                  },
                }
          })
      return {
        components: [
          ...sleds.flatMap(seen('sled', sledComponents)),
          ...switches.flatMap(seen('switch', switchComponents)),
        ],
        recovered: sleds.filter(({ recovered }) => recovered === 1).map(({ serial }) => serial),
      }
    },

    async install({ serial, kind }, { hash }) {
      check('install', `${serial} ${kind}`)
      const ready_at = clock().getTime() + options.rebootMs
      await db
        .insertInto('simulated_component')
        .values({ serial, kind, artifact: null, next: hash, ready_at })
        .onConflict((conflict) =>
          conflict
            .columns(['serial', 'kind'])
            .doUpdateSet({ next: hash, ready_at })
            .where((eb) =>
              eb.and([
                eb('simulated_component.next', 'is distinct from', hash),
                eb.or([
                  eb('simulated_component.artifact', 'is distinct from', hash),
                  eb('simulated_component.next', 'is not', null),
                ]),
              ]),
            ),
        )
        .execute()
    },

    async clearRecoveries() {
      await db
        .updateTable('simulated_sled')
        .set({ recovered: 0 })
        .where('recovered', '=', 1)
        .execute()
    },
  }
}
