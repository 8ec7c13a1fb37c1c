/**
 * Lists in forms with one entry added after the other. The entry being typed is a form value
 * like any other: it is validated on submission, kept in the draft, makes the form dirty, and
 * is sent and previewed, whether or not "Add" was pressed.
 */
import { useEffect, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

type Entry = Record<string, string>

/** Validates a field, given the whole entry and the current items of the list. */
type FieldProblem<Item, E extends Entry> = (
  text: string,
  entry: E,
  items: readonly Item[],
) => string | undefined

export type EntryList<Item, E extends Entry> = {
  blank: E
  /** Whether the entry is empty. */
  isBlank: (entry: E) => boolean
  /** Whether "Clear" would change something; defaults to any field being filled in. */
  clearable?: (entry: E) => boolean
  problems: { [Field in keyof E]?: FieldProblem<Item, E> }
  /** Adds the entry to the list; may skip a duplicate. */
  add: (items: readonly Item[], entry: E) => Item[]
  /** The next entry after adding; blank by default. */
  next?: (entry: E) => E
  /** The entry after "Clear"; blank by default. */
  cleared?: (entry: E) => E
  max: number
  /** Message for a list at its `max`. */
  full: string
  /** Message for a duplicate entry, shown while it is typed. */
  twice?: (entry: E, items: readonly Item[]) => string | undefined
}

const problemOf = <Item, E extends Entry>(
  list: EntryList<Item, E>,
  field: keyof E & string,
  entry: E,
  items: readonly Item[],
): string | undefined =>
  list.isBlank(entry)
    ? undefined
    : items.length >= list.max
      ? list.full
      : (list.problems[field]?.(entry[field]!, entry, items) ??
        // Shown at the field that is not blank.
        (entry[field] === '' ? undefined : list.twice?.(entry, items)))

/** The list including the typed entry, unless that is blank or invalid. */
export function withEntry<Item, E extends Entry>(
  list: EntryList<Item, E>,
  items: readonly Item[],
  entry: E,
): Item[] {
  const valid = Object.keys(entry).every((field) => !problemOf(list, field, entry, items))
  return list.isBlank(entry) || !valid ? [...items] : list.add(items, entry)
}

/**
 * A list of the surrounding form with its entry.
 * @param itemsName form field of the list
 * @param entryName form field of the entry
 */
export function useListEntry<Item, E extends Entry>(
  list: EntryList<Item, E>,
  itemsName: string,
  entryName: string,
) {
  const { control, getValues, setValue, clearErrors, trigger } = useFormContext()
  const [items, entry] = useWatch({ control, name: [itemsName, entryName] }) as [Item[], E]
  /** Incremented with each entry, as a key for fields with their own state. */
  const [round, setRound] = useState(0)
  /** Entries added since the last "Clear". */
  const [added, setAdded] = useState(0)
  const set = (next: Item[]) => setValue(itemsName, next, { shouldDirty: true })
  const startWith = (next: E) => {
    setValue(entryName, next, { shouldDirty: true })
    clearErrors(entryName)
    setRound((count) => count + 1)
  }
  const add = async () => {
    if (!(await trigger(entryName, { shouldFocus: true }))) return
    const typed: E = getValues(entryName)
    set(list.add(getValues(itemsName), typed))
    startWith(list.next?.(typed) ?? list.blank)
    setAdded((count) => count + 1)
  }
  const twice = !list.isBlank(entry) && list.twice?.(entry, items) !== undefined
  useEffect(() => {
    if (twice) void trigger(entryName)
  }, [twice, entryName, trigger])
  const isBlank = list.isBlank(entry)
  return {
    control,
    items,
    entry,
    round,
    added,
    startWith,
    remove: (item: Item) => set(items.filter((each) => each !== item)),
    /** Name, control and rule of a field of the entry. */
    field: (field: keyof E & string) => ({
      name: `${entryName}.${field}`,
      control,
      validate: () => problemOf(list, field, getValues(entryName), getValues(itemsName)),
    }),
    /** Props of the `SubForm`. */
    subForm: {
      addable: !isBlank,
      clearable: list.clearable?.(entry) ?? Object.values(entry).some((text) => text !== ''),
      onAdd: () => void add(),
      onClear: () => {
        startWith(list.cleared?.(entry) ?? list.blank)
        setAdded(0)
      },
      full: items.length >= list.max ? list.full : undefined,
    },
  }
}
