/**
 * Lists of a form to which one entry after the other is added. The entry being typed is a value of
 * the form like any other: it is validated when the form is submitted, kept in its draft, makes it
 * dirty, and is part of what is sent and previewed, whether or not "Add" was pressed.
 */
import { useEffect, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

type Entry = Record<string, string>

/** Problem of a field, given the whole entry and the items that are in the list already. */
type FieldProblem<Item, E extends Entry> = (
  text: string,
  entry: E,
  items: readonly Item[],
) => string | undefined

export type EntryList<Item, E extends Entry> = {
  blank: E
  /** Whether there is nothing to add. */
  isBlank: (entry: E) => boolean
  /** Whether "Clear" would change something; by default, whether any field is filled in. */
  clearable?: (entry: E) => boolean
  problems: { [Field in keyof E]?: FieldProblem<Item, E> }
  /** The list with the entry; an entry that is there already may be left out. */
  add: (items: readonly Item[], entry: E) => Item[]
  /** The next entry after one was added; blank by default. */
  next?: (entry: E) => E
  /** The entry after "Clear"; blank by default. */
  cleared?: (entry: E) => E
  max: number
  /** Why there can be no more than `max`. */
  full: string
  /** Message for an entry that is in the list already, shown while it is typed. */
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
        // Said at the field that is not blank.
        (entry[field] === '' ? undefined : list.twice?.(entry, items)))

/** The list with the entry being typed, unless that is blank or not valid. */
export function withEntry<Item, E extends Entry>(
  list: EntryList<Item, E>,
  items: readonly Item[],
  entry: E,
): Item[] {
  const valid = Object.keys(entry).every((field) => !problemOf(list, field, entry, items))
  return list.isBlank(entry) || !valid ? [...items] : list.add(items, entry)
}

/**
 * A list of the surrounding form, and what adds to it.
 * @param itemsName the field of the form that holds the list
 * @param entryName the field that holds the entry
 */
export function useListEntry<Item, E extends Entry>(
  list: EntryList<Item, E>,
  itemsName: string,
  entryName: string,
) {
  const { control, getValues, setValue, clearErrors, trigger } = useFormContext()
  const [items, entry] = useWatch({ control, name: [itemsName, entryName] }) as [Item[], E]
  /** Grows with each entry, as a key for fields with a state of their own. */
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
    /** The name, control and rule of a field of the entry. */
    field: (field: keyof E & string) => ({
      name: `${entryName}.${field}`,
      control,
      validate: () => problemOf(list, field, getValues(entryName), getValues(itemsName)),
    }),
    /** The properties of the `SubForm`. */
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
