import type { FoundResource } from '@steading/api/client'
import { kindLabels, LIST_SEARCH_MAX } from '@steading/api/rules'
import { useQueries } from '@tanstack/react-query'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import type { MenuAction } from '../ui/menu-action.ts'
import type { QuickAction } from '../ui/quick-actions.ts'
import { insideText } from './resource-pages.ts'

const FoundActs = lazyPart(() => import('./palette-acts.tsx'))

/** Resources whose actions are read for one text. */
const THINGS_MAX = 4

/** An action on a resource that a text names: "stop web-1", "web-1 console". */
export type Act = QuickAction & { group: string }

/**
 * The resource names that a text may contain, each with the words left for the action: names have no
 * blanks, and come first or last.
 */
export function actTexts(text: string): { name: string; words: string[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length < 2) return []
  return [
    { name: words.at(-1)!, words: words.slice(0, -1) },
    { name: words[0]!, words: words.slice(1) },
  ].filter(({ name }) => name.length > 1 && name.length <= LIST_SEARCH_MAX)
}

/** Other words for those of actions, also of other products. */
const synonyms: Record<string, string> = {
  open: 'view',
  restart: 'reboot',
  boot: 'start',
  shutdown: 'stop',
  terminal: 'console',
  shell: 'console',
  remove: 'delete',
  destroy: 'delete',
  terminate: 'delete',
  rename: 'edit',
  change: 'edit',
  expand: 'grow',
  extend: 'grow',
  enlarge: 'grow',
  revert: 'roll',
  backup: 'snapshot',
}

/** Whether each word begins a word of an action, or names the kind. */
export function isAsked(words: string[], kind: string, { label }: MenuAction) {
  const known = `${label} ${kind}`.toLowerCase().split(/\s+/)
  return words.every((word) => known.some((each) => each.startsWith(synonyms[word] ?? word)))
}

/** A resource with its place, as the heading of its actions: every VPC has a subnet `default`. */
export const whereText = (thing: FoundResource): string =>
  `${thing.name}, ${kindLabels(thing.kind)} ${insideText(thing)}`.trim()

/** The resources that a text may name, each with the texts of the actions asked for. */
export function namedThings(
  asked: readonly { name: string; words: string[] }[],
  found: readonly (readonly FoundResource[] | undefined)[],
): { thing: FoundResource; texts: string[][] }[] {
  const named = new Map<string, { thing: FoundResource; texts: string[][] }>()
  for (const [index, { name, words }] of asked.entries()) {
    const matching = (found[index] ?? [])
      .filter((thing) => thing.matched === 'name')
      // The whole name before longer ones.
      .toSorted((a, b) => Number(b.name === name) - Number(a.name === name))
    for (const thing of matching) {
      const known = named.get(thing.id)
      if (known) known.texts.push(words)
      else named.set(thing.id, { thing, texts: [words] })
    }
  }
  return [...named.values()].slice(0, THINGS_MAX)
}

/** The actions that a text asks for, and the part that reads them, to be rendered. */
export function usePaletteActs(text: string) {
  const supported = useCapability('find')
  const [known, setKnown] = useState<ReadonlyMap<string, MenuAction[]>>(new Map())
  const onActions = useCallback(
    (id: string, actions: MenuAction[]) => setKnown((before) => new Map(before).set(id, actions)),
    [],
  )
  const asked = useMemo(() => actTexts(text), [text])
  const found = useQueries({
    queries: asked.map(({ name }) => ({
      ...apiQuery('find', { query: { text: name } }),
      enabled: supported,
      throwOnError: false,
    })),
  })
  const things = namedThings(
    asked,
    found.map(({ data }) => data?.items),
  )
  const acts = things.flatMap(({ thing, texts }): Act[] =>
    (known.get(thing.id) ?? [])
      .filter((action) => texts.some((words) => isAsked(words, kindLabels(thing.kind), action)))
      .map(({ label, href, onAction, calls, disabledReason, local, consequence }) => ({
        label,
        detail: consequence,
        group: whereText(thing),
        about: thing.name,
        calls: elsewhere(calls, thing),
        disabledReason,
        ...(href ? { path: href } : { sends: !local, onAction: onAction! }),
      })),
  )
  const part = things.length > 0 && (
    <Suspense>
      <FoundActs things={things.map(({ thing }) => thing)} onActions={onActions} />
    </Suspense>
  )
  const isReading =
    found.some(({ isLoading }) => isLoading) || things.some(({ thing }) => !known.has(thing.id))
  return { acts, part, isReading }
}

/** The operation of an action on a resource in its own project, whichever page is open. */
function elsewhere(calls: MenuAction['calls'], { projectName }: FoundResource) {
  if (!calls || !projectName) return calls
  const known = typeof calls === 'string' ? { operation: calls } : calls
  return { project: projectName, ...known }
}
