/** Saves all rows of a list as a file, with the search and the filters of the list. */
import { toWire } from '@steading/api/client'
import { LIST_EXPORT_MAX } from '@steading/api/rules'
import { ALL_ITEMS } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { type ListSearch, TAGS_COLUMN } from '../../data/list-search.ts'
import { type ListDefinition, queryOf } from '../../data/lists.ts'
import { formatNumber } from '../../ui/number.ts'
import { saveFile } from '../../ui/save-file.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { csvParts, jsonParts } from './file-parts.ts'

/** A list as its page shows it. */
export type ListSource = { list: ListDefinition; parent: object; search: ListSearch }

const formats = {
  CSV: { type: 'text/csv', partsOf: csvParts },
  JSON: { type: 'application/json', partsOf: jsonParts },
}
export type ExportFormat = keyof typeof formats
export const exportFormats = Object.keys(formats) as ExportFormat[]

/** Lets the page react to its user. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

class TooMany extends Error {}

/** @returns the rows as on the wire, with their tags */
async function readAll({ list, parent, search }: ListSource): Promise<object[]> {
  const { lists, tags } = await currentCapabilities()
  const shown = tags ? { ...search, columns: TAGS_COLUMN } : search
  const rows: object[] = []
  for (let pageToken: string | undefined; ;) {
    const { queryFn } = queryOf(list, parent, shown, lists, { pageToken, limit: ALL_ITEMS })
    const { items, nextPage } = await queryFn()
    rows.push(...items.map((item) => toWire(item) as object))
    if (!nextPage || items.length === 0) return rows
    if (rows.length >= LIST_EXPORT_MAX) throw new TooMany()
    pageToken = nextPage
  }
}

/** @param many the plural of the rows' noun: `instances` */
export async function exportList(
  source: ListSource,
  many: string,
  format: ExportFormat,
): Promise<void> {
  const done = addToast({ content: `Reading the ${many}…`, variant: 'notice', timeout: null })
  try {
    const rows = await readAll(source)
    const { type, partsOf } = formats[format]
    const parts: string[] = []
    for (const part of partsOf(rows)) {
      parts.push(part)
      await nextTask()
    }
    const name = `${many.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.${format.toLowerCase()}`
    saveFile(name, parts, type)
    addToast(`${formatNumber(rows.length)} ${many} saved as ${name}`)
  } catch (error) {
    errorToast(
      `The ${many} could not be exported`,
      error instanceof TooMany
        ? `The list has more than ${formatNumber(LIST_EXPORT_MAX)} ${many}. Search or filter it first.`
        : (error as Error).message,
    )
  } finally {
    done()
  }
}
