import type { JobCreate, TagsChange } from '@steading/api/client'
import {
  inTagOrder,
  type ListedKind,
  repeatedKey,
  tagMessages,
  tagProblem,
} from '@steading/api/rules'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { asCode } from '../as-code/as-code.tsx'
import { jobSteps } from '../jobs/open-job.ts'
import { TagChip } from './tag-chip.tsx'
import { TAGS_SUGGESTED, useTagsInUse } from './tags-in-use.ts'

type TagTexts = { set: string; remove: string }

/** Tags in a text, separated by commas; no tag contains one. */
const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim().replace('=', ':'))
    .filter(Boolean)

function textProblem(text: string): string | undefined {
  const tags = tagsIn(text)
  const wrong = tags.map((tag) => tagProblem(tag)).find(Boolean)
  const twice = repeatedKey(tags)
  return wrong ?? (twice === undefined ? undefined : tagMessages.twice(twice))
}

const tagsChange = ({ set, remove }: TagTexts): TagsChange => ({
  set: tagsIn(set),
  remove: tagsIn(remove),
})

type TagDialogProps = {
  /** `Tag 12 instances` */
  title: string
  kind: ListedKind
  /** Tags of the resources in view. */
  present: readonly string[]
  /** Texts of an earlier attempt. */
  texts: TagTexts
  /** The job that makes a change. */
  request: (tags: TagsChange) => JobCreate
  onTag: (request: JobCreate, texts: TagTexts) => void
  onDismiss: () => void
}

/** A change of the tags of several resources. */
export default function TagDialog(props: TagDialogProps) {
  const { title, kind, present, texts, request, onTag, onDismiss } = props
  const form = useForm({ defaultValues: texts })
  const values = useWatch({ control: form.control })
  const inUse = useTagsInUse(kind, '').map(({ tag }) => tag)
  return (
    <ModalForm
      form={form}
      title={title}
      submitLabel="Tag"
      onSubmit={(entered) => onTag(request(tagsChange(entered)), entered)}
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
      submitDisabled={tagsIn(`${values.set},${values.remove}`).length === 0}
      code={() => asCode(...jobSteps(request(tagsChange(form.getValues()))))}
    >
      <TextField
        control={form.control}
        name="set"
        label="Tags to set"
        placeholder="env:prod, team:billing"
        description="Separated by commas. They replace tags with the same keys."
        validate={textProblem}
      />
      <Suggestions form={form} name="set" tags={inUse} label="Tags in use" />
      <TextField
        control={form.control}
        name="remove"
        label="Tags to remove"
        description="A key alone removes its tag with any value."
        validate={(text) =>
          textProblem(text) ??
          tagsIn(text)
            .filter((tag) => tagsIn(form.getValues('set')).includes(tag))
            .map(tagMessages.setAndRemoved)[0]
        }
      />
      <Suggestions
        form={form}
        name="remove"
        tags={inTagOrder([...new Set(present)])}
        label="Tags of the selected resources"
      />
    </ModalForm>
  )
}

type SuggestionsProps = {
  form: UseFormReturn<TagTexts>
  name: keyof TagTexts
  tags: readonly string[]
  label: string
}

/** Tags that a click adds to a field. */
function Suggestions({ form, name, tags, label }: SuggestionsProps) {
  const taken = tagsIn(useWatch({ control: form.control, name }))
  const left = tags.filter((tag) => !taken.includes(tag)).slice(0, TAGS_SUGGESTED)
  if (left.length === 0) return null
  return (
    <div role="group" aria-label={label} className="-mt-2 flex flex-wrap gap-1.5">
      {left.map((tag) => (
        <TagChip key={tag} tag={tag}>
          <button type="button" onClick={() => form.setValue(name, [...taken, tag].join(', '))}>
            {tag}
          </button>
        </TagChip>
      ))}
    </div>
  )
}
