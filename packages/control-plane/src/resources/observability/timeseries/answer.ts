import { type Table, toWire } from '@steading/oxql'

/** Points written before other work has its turn. */
const AT_ONCE = 20_000

const encoder = new TextEncoder()

/**
 * Writes the answer to a query. It may have a million points, so it is written series by series,
 * with other work in between.
 */
export async function answerOf(
  tables: readonly Table[],
  pause: () => Promise<void>,
): Promise<Response> {
  const parts: Uint8Array[] = []
  const write = (text: string) => void parts.push(encoder.encode(text))
  let sincePause = 0
  write('{"tables":[')
  for (const [index, table] of tables.entries()) {
    write(`${index > 0 ? ',' : ''}{"name":${JSON.stringify(table.name)},"timeseries":[`)
    for (const [place, timeseries] of table.timeseries.entries()) {
      const { tables: alone } = toWire([{ ...table, timeseries: [timeseries] }])
      write((place > 0 ? ',' : '') + JSON.stringify(alone[0]!.timeseries[0]))
      sincePause += timeseries.points.timestamps.length
      if (sincePause < AT_ONCE) continue
      sincePause = 0
      await pause()
    }
    write(']}')
  }
  write(']}')
  return new Response(new Blob(parts as Uint8Array<ArrayBuffer>[]), {
    headers: { 'content-type': 'application/json' },
  })
}
