/**
 * Forms that edit something others may change at the same time. A form keeps the values that it
 * was opened with. Each save is based on the newest answer, and only on that (`if-match`); if
 * others have changed the form's own fields since it was opened, the user decides first.
 */
import { type Args, entityTagOf, type MethodName, type Result } from '@steading/api/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { asCode } from '../workspace/as-code/as-code.tsx'
import { call as step } from '../workspace/as-code/steps.ts'
import { call, type MutationOptions, queryClient, readFresh } from '../data/api.ts'
import { ApiError, isMissing } from '../data/errors.ts'
import { Button } from '../ui/button.tsx'
import type { Meanwhile } from '../ui/form/side-modal-form.tsx'
import { formatNumber } from '../ui/number.ts'
import { Strong } from '../ui/text.tsx'
import { MeanwhileNotice } from './meanwhile-notice.tsx'

type Plain = string | number | boolean | null | undefined | readonly string[]
type Field<T> =
  | { label: string; text: (value: T) => string }
  | ([T] extends [Plain] ? string : never)
/** Labels of a form's fields, and their values as text. */
export type EditedFields<V> = { [Name in keyof V]-?: Field<V[Name]> }

const plainText = (value: Plain): string => {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : formatNumber(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'object' ? (value?.join(', ') ?? '') : (value ?? '')
}

const labelOf = <T,>(field: Field<T>) => (typeof field === 'string' ? field : field.label)
const textOf = <T,>(field: Field<T>, value: T) =>
  typeof field === 'string' ? plainText(value as Plain) : field.text(value)

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Fields that most resources have. */
export const namedValues = ({ name, description }: { name: string; description: string }) => ({
  name,
  description,
})
export const namedFields = { name: 'Name', description: 'Description' }

/** Resources are addressed by name, and may be renamed. */
type Identified = { id?: string; name?: string }
type NamedArgs = { path?: Record<string, unknown>; query?: Record<string, unknown> }

const renamed = (values: object, name: string, id: string) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value === name ? id : value]),
  )

/** The arguments of a call, with the id instead of the name. An id needs no parents. */
function byId<A>(args: A, { id, name }: Identified): A {
  const { path, query, ...rest } = args as NamedArgs
  if (id === undefined || name === undefined) return args
  if (path && Object.values(path).includes(name)) {
    return { ...rest, path: renamed(path, name, id) } as A
  }
  return path ? args : ({ ...rest, query: query && renamed(query, name, id) } as A)
}

/** The read of the same resource by its id; undefined if that is not possible. */
function readById<T extends object>(
  { queryKey, named }: EditedRead<T>,
  opened: Identified,
): (() => Promise<T>) | undefined {
  if (named) return opened.id === undefined ? undefined : named(opened.id).queryFn
  const [operation, args] = queryKey as [MethodName, Args<MethodName>]
  const other = byId(args, opened)
  if (!operation.endsWith('View') || isSame(other, args)) return undefined
  return () => call(operation, other, { expected: [404] }) as Promise<T>
}

/** A read that also finds a renamed resource. */
const findingById = <T extends object>(read: EditedRead<T>, opened: Identified) => ({
  ...read,
  queryFn: () =>
    read.queryFn().catch((failure: unknown) => {
      const again = readById(read, opened)
      if (!isMissing(failure) || !again) throw failure
      return again().catch(() => {
        throw failure
      })
    }),
})

/** Maximum number of retries after others changed other fields. */
const ATTEMPTS = 5

/** The user has to decide first; the form shows the conflicts. */
class Undecided extends Error {}

/** A read that can be repeated to detect others' changes. */
export type EditedRead<T> = {
  queryKey: readonly unknown[]
  queryFn: () => Promise<T>
  /** The read by a name or an id, if it takes more than one call. */
  named?: (nameOrId: string) => { queryFn: () => Promise<T> }
}

type Options<
  M extends MethodName,
  T extends object,
  V extends FieldValues,
  E extends FieldValues,
> = {
  /** Noun for the edited resource, used in a sentence. */
  resource: string
  /** The read of the edited resource. The call replaces its answer. */
  read: EditedRead<T>
  /** The call does not support `if-match`: the resource is read just before. */
  tagged?: false
  /** The edited resource as a list's row; defaults to the page's loaded data. */
  opened?: NoInfer<T>
  /**
   * Values of the fields. Annotate its parameter's type, since the type of `V` is inferred from
   * it.
   */
  valuesOf: (thing: T) => V
  fields: NoInfer<EditedFields<V>>
  /** Form values that are not part of the resource, such as blank entries of its lists. */
  entries?: E
  /** Arguments of the saving call. Values without a form field come from the newest `thing`. */
  argsOf: (values: NoInfer<V & E>, thing: NoInfer<T>) => Args<M>
  mode?: 'onChange'
  /** Until the first input, the form follows others' changes, like its page. */
  follows?: true
} & Pick<MutationOptions<M>, 'onSuccess' | 'onError'>

/**
 * Props of an edit form, to be spread into it.
 * @returns also the form, and the resource as of its opening
 */
export function useEditForm<
  M extends MethodName,
  T extends object,
  V extends FieldValues,
  E extends FieldValues = Record<never, never>,
>(operation: M, options: Options<M, T, V, E>) {
  type Values = V & E
  const { resource, tagged = true, valuesOf, fields, mode, follows, onSuccess, onError } = options
  const [{ opened, openedAt }] = useState(() => {
    const cached = queryClient.getQueryData<T>(options.read.queryKey)
    // A list's row may be newer than an earlier read of the resource.
    return { opened: options.opened ?? cached, openedAt: options.opened ? Date.now() : 0 }
  })
  if (!opened) throw new Error('Expected what is edited to be read before its form is opened.')
  const [base, setBase] = useState(() => valuesOf(opened))
  const form = useForm<Values>({
    mode,
    defaultValues: { ...base, ...options.entries } as unknown as DefaultValues<Values>,
  })
  const { isDirty } = form.formState

  const read = findingById(options.read, opened)
  const { error } = useQuery<T>({
    ...read,
    notifyOnChangeProps: ['data', 'error'],
    // Rows have no entity tag.
    ...(entityTagOf(opened) ? {} : { staleTime: 0 }),
  })
  const newest = () => {
    const { data, dataUpdatedAt } = queryClient.getQueryState<T>(read.queryKey) ?? {}
    return data && dataUpdatedAt! >= openedAt ? data : opened
  }
  const tagOf = (thing: T) => (tagged ? entityTagOf(thing) : undefined)
  const nameOf = (thing: T) => (thing as Identified).name
  /** Another resource of that name: the edited one is gone. */
  const isOther = (thing: T) =>
    nameOf(thing) !== undefined && (thing as Identified).id !== (opened as Identified).id
  const argsOf = (values: Values, thing: T): Args<M> => {
    const args = options.argsOf(values, thing)
    return nameOf(thing) === nameOf(opened) ? args : byId(args, opened)
  }

  /** Fields that others have changed to a value other than the form's. */
  const undecided = (thing: T, values: Values) => {
    const theirs = valuesOf(thing)
    return (Object.keys(fields) as (keyof V & string)[]).filter(
      (name) => !isSame(base[name], theirs[name]) && !isSame(values[name], theirs[name]),
    )
  }
  /** Sends the values, with retries on the newest answer while others change only other fields. */
  async function save(values: Values): Promise<Result<M>> {
    let thing = newest()
    // Without entity tags, read again just before.
    if (!tagOf(thing)) thing = await readFresh(read)
    for (let attempt = 1; ; attempt++) {
      if (isOther(thing) || undecided(thing, values).length > 0) throw new Undecided()
      try {
        const sending = { ifMatch: tagOf(thing), expected: [404, 412] }
        return await call(operation, argsOf(values, thing), sending)
      } catch (failure) {
        const isChanged = failure instanceof ApiError && failure.statusCode === 412
        if (attempt === ATTEMPTS || !(isChanged || isMissing(failure))) throw failure
        const before = nameOf(thing)
        thing = await readFresh(read)
        // The 404 is about something else.
        if (!isChanged && nameOf(thing) === before) throw failure
      }
    }
  }

  const sent = useRef<Values>(undefined)
  const mutation = useMutation<Result<M>, Error, Args<M>>({
    mutationKey: [operation],
    mutationFn: () => save(sent.current!),
    onSuccess,
    onError: (failure, ...rest) => {
      if (failure instanceof ApiError) onError?.(failure, ...rest)
    },
  })

  const thing = newest()
  const theirs = valuesOf(thing)
  const waits = Boolean(follows) && !isDirty
  // The event of the user's own change may precede its answer.
  const settled = !mutation.isPending && (!mutation.isSuccess || Boolean(follows))
  const isGone = settled && (isMissing(error) || isOther(thing))
  const names = settled && !waits ? undecided(thing, form.getValues()) : []

  useEffect(() => {
    if (!waits || isSame(base, theirs)) return
    form.reset({ ...form.getValues(), ...theirs })
    setBase(theirs)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when there is something new
  }, [thing, waits])

  const decide = (decided: (keyof V & string)[], takes: boolean) => {
    for (const name of decided) {
      if (!takes) continue
      form.resetField(name as unknown as Path<Values>, { defaultValue: theirs[name] })
    }
    setBase({ ...base, ...Object.fromEntries(decided.map((name) => [name, theirs[name]])) })
  }

  let meanwhile: Meanwhile | undefined
  if (isGone) {
    meanwhile = {
      reason: `The ${resource} was deleted meanwhile`,
      notice: (
        <MeanwhileNotice title={`The ${resource} was deleted meanwhile`}>
          <p>It cannot be saved any more.</p>
        </MeanwhileNotice>
      ),
    }
  } else if (names.length > 0) {
    meanwhile = {
      reason: `The ${resource} was changed meanwhile: decide first which values to keep`,
      notice: (
        <MeanwhileNotice title={`The ${resource} was changed meanwhile`}>
          <ul className="flex flex-col gap-2 py-1">
            {names.map((name) => (
              <Changed
                key={name}
                label={labelOf(fields[name])}
                before={textOf(fields[name], base[name])}
                after={textOf(fields[name], theirs[name])}
                onDecide={(takes) => decide([name], takes)}
              />
            ))}
          </ul>
          {names.length > 1 && (
            <div className="flex flex-wrap gap-2 py-1">
              <Button size="sm" onClick={() => decide(names, true)}>
                Use all new values
              </Button>
              <Button size="sm" onClick={() => decide(names, false)}>
                Keep all mine
              </Button>
            </div>
          )}
        </MeanwhileNotice>
      ),
    }
  }

  return {
    form,
    opened,
    resource,
    meanwhile,
    onSubmit: (values: Values) => {
      sent.current = values
      mutation.mutate(argsOf(values, newest()))
    },
    loading: mutation.isPending,
    submitError: !isGone && mutation.error instanceof ApiError ? mutation.error : null,
    calls: operation as string,
    code: (values: Values) => asCode(step(operation, argsOf(values, newest()))),
  }
}

type ChangedProps = {
  label: string
  before: string
  after: string
  onDecide: (takes: boolean) => void
}

/** A field that others have changed. */
function Changed({ label, before, after, onDecide }: ChangedProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="line-clamp-4 min-w-0 flex-1 basis-32 wrap-anywhere">
        {label}:{' '}
        {before === after ? (
          'changed'
        ) : (
          <>
            <Value text={before} /> is now <Value text={after} />
          </>
        )}
      </span>
      <span className="flex gap-2">
        <Button size="sm" aria-label={`Use new: ${label}`} onClick={() => onDecide(true)}>
          Use new
        </Button>
        <Button size="sm" aria-label={`Keep mine: ${label}`} onClick={() => onDecide(false)}>
          Keep mine
        </Button>
      </span>
    </li>
  )
}

const Value = ({ text }: { text: string }) => (text ? <Strong>{text}</Strong> : <i>empty</i>)
