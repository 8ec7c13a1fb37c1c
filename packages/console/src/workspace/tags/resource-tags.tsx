import { kindTable, type ListedKind, tagSearch, TAGS_MAX } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Tag } from 'lucide-react'
import { useRef, useState } from 'react'
import { apiQuery, invalidate, useApiMutation } from '../../data/api.ts'
import { linkTo } from '../../data/addresses.ts'
import { OptionalValue } from '../../page/query-error.tsx'
import { cx } from '../../ui/cx.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import { NoteCard } from '../notes/note-card.tsx'
import { TagChip } from './tag-chip.tsx'
import { TagInput } from './tag-input.tsx'

type ResourceTagsProps = { kind: ListedKind; thing: { id: string; name: string } }

/** Path of the list that a page of a resource is below, or undefined. */
function useListPath(kind: ListedKind, { id, name }: ResourceTagsProps['thing']) {
  const segments = useLocation({ select: ({ pathname }) => pathname }).split('/')
  const { resource } = kindTable[kind]
  const at = segments.findIndex(
    (segment, index) => segment === resource && [id, name].includes(segments[index + 1] ?? ''),
  )
  return at < 0 ? undefined : segments.slice(0, at + 1).join('/')
}

/** The tags of a resource, changed in place. */
export function ResourceTags({ kind, thing }: ResourceTagsProps) {
  const [adding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useListPath(kind, thing)
  const at = { path: { kind, thing: thing.id } }
  const read = useQuery({ ...apiQuery('tagsView', at), throwOnError: false })
  const { mutate, variables, isPending } = useApiMutation('tagsChange', {
    onSettled: () => invalidate('tagsView', 'tagList'),
    onError: ({ message }) => errorToast(`Could not change the tags of ${thing.name}`, message),
  })
  const removing = isPending ? (variables?.body.remove ?? []) : []
  return (
    <div role="group" aria-label="Tags" className="contents">
      <OptionalValue by={read}>
        {({ tags, modifiable }) => (
          <>
            {tags
              .filter((tag) => !removing.includes(tag))
              .map((tag) => (
                <TagChip
                  key={tag}
                  tag={tag}
                  onRemove={
                    modifiable ? () => mutate({ ...at, body: { remove: [tag] } }) : undefined
                  }
                >
                  {list && (
                    <Link {...linkTo(`${list}?q=${encodeURIComponent(tagSearch(tag))}`)}>
                      {tag}
                    </Link>
                  )}
                </TagChip>
              ))}
            {adding ? (
              <TagInput
                kind={kind}
                tags={tags}
                onAdd={(tag) => mutate({ ...at, body: { set: [tag] } })}
                onClose={() => {
                  setAdding(false)
                  // After Escape; a press elsewhere has moved the focus itself.
                  requestAnimationFrame(() => {
                    if (document.activeElement === document.body) button.current?.focus()
                  })
                }}
              />
            ) : modifiable ? (
              <Button
                ref={button}
                size="sm"
                variant="ghost"
                // At the beginning of the row, its icon is below that of the heading.
                className={cx(tags.length === 0 && '-ms-3')}
                sends
                icon={<Tag size={14} strokeWidth={1.5} aria-hidden />}
                disabledReason={
                  tags.length >= TAGS_MAX && `A resource has at most ${TAGS_MAX} tags`
                }
                onClick={() => setAdding(true)}
              >
                Add tag
              </Button>
            ) : (
              tags.length === 0 && <span className="text-tertiary">No tags</span>
            )}
          </>
        )}
      </OptionalValue>
    </div>
  )
}

/**
 * The tags of a resource and the beginning of its note, in one row. It is drawn once both are
 * known, so that neither moves the other.
 */
export default function TagsAndNote({ kind, thing }: ResourceTagsProps) {
  const at = { path: { kind, thing: thing.id } }
  const tags = useQuery({ ...apiQuery('tagsView', at), throwOnError: false })
  const note = useQuery({ ...apiQuery('noteView', at), throwOnError: false })
  return (
    <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-1.5">
      {tags.isPending || note.isPending ? (
        <SkeletonCell />
      ) : (
        <>
          <ResourceTags kind={kind} thing={thing} />
          <NoteCard kind={kind} thing={thing} />
        </>
      )}
    </div>
  )
}
