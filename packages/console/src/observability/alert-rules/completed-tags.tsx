import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import type { RuleOwner } from './queries.ts'

interface Values {
  tagFilter: string
}

interface CompletedTagsProps {
  owner: RuleOwner
  control: Control<Values>
  name: 'tagFilter'
  label: string
  description: string
  required: false
  placeholder: string
  validate: (text: string) => string | undefined
}

/** A field for tags that offers those in use. */
export default function CompletedTags({ owner, ...field }: CompletedTagsProps) {
  const query = owner === undefined ? { scope: 'system' as const } : { project: owner }
  const tags = useQuery(apiQuery('tagList', { query }))
  const options = (tags.data?.items ?? []).map(({ tag }) => ({ value: tag, label: tag }))
  return <ComboboxField {...field} allowCustom options={options} />
}
