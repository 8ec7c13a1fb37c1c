/** Choices of the tags that the resources of a dashboard's charts must have. */
import { parseTag, tagProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { readingOf } from '../../data/reads.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'

/** Value of the choice of all resources. */
const ALL = ''

/** The chosen tags of the keys of a dashboard; undefined for none. */
export const tagFilterOf = (keys: readonly string[], tags = ''): string | undefined =>
  tags
    .split(',')
    .filter((tag) => tagProblem(tag) === undefined && keys.includes(parseTag(tag).key))
    .join(',') || undefined

type ChoiceProps = {
  scope: QueryScope
  tagKey: string
  /** The chosen tag. */
  tag: string | undefined
  onChoose: (tag: string | undefined) => void
}

function TagChoice({ scope, tagKey, tag, onChoose }: ChoiceProps) {
  const place = scope === 'system' ? { scope: 'system' as const } : scope
  const read = useQuery(apiQuery('tagList', { query: { ...place, search: `${tagKey}:` } }))
  const known = read.data?.items.map((item) => item.tag) ?? []
  // The chosen one may be in use no longer.
  const tags = tag === undefined || known.includes(tag) ? known : [tag, ...known]
  return (
    <Listbox
      aria-label={`Tag ${tagKey}`}
      className="w-44"
      {...readingOf(read)}
      options={[
        { value: ALL, label: `${tagKey}: all` },
        ...tags.map((one) => ({ value: one, label: one })),
      ]}
      value={tag ?? ALL}
      onChange={(one) => onChoose(one === ALL ? undefined : one)}
    />
  )
}

type ChoicesProps = {
  scope: QueryScope
  keys: readonly string[]
  /** The chosen tags, separated by commas. */
  chosen: string | undefined
  onChoose: (tags: string | undefined) => void
}

export function TagChoices({ scope, keys, chosen, onChoose }: ChoicesProps) {
  const supported = useCapability('tagFilters')
  if (!supported) return null
  const tags = chosen?.split(',') ?? []
  return keys.map((key) => (
    <TagChoice
      key={key}
      scope={scope}
      tagKey={key}
      tag={tags.find((tag) => parseTag(tag).key === key)}
      onChoose={(tag) => {
        const others = tags.filter((one) => parseTag(one).key !== key)
        onChoose([...others, ...(tag === undefined ? [] : [tag])].join(',') || undefined)
      }}
    />
  ))
}
