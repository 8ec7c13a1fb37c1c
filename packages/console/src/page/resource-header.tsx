import type { ListedKind } from '@steading/api/rules'
import { type ComponentProps, Suspense } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { StarButton } from '../workspace/stars/stars.tsx'

const TagsAndNote = lazyPart(() => import('../workspace/tags/resource-tags.tsx'))

type ResourceHeaderProps = Omit<ComponentProps<typeof PageHeader>, 'star'> & {
  kind: ListedKind
  thing: { id: string; name: string }
}

/** The heading of the page of a resource, with its star, and its tags and note below. */
export function ResourceHeader({ kind, thing, ...header }: ResourceHeaderProps) {
  const supported = useCapability('tags')
  return (
    <>
      <PageHeader {...header} star={<StarButton kind={kind} thing={thing} />} />
      {supported && (
        // Its room is reserved, so that nothing moves when it is there.
        <div className="-mt-2 min-h-11 px-(--gutter) pb-4">
          <Suspense>
            <TagsAndNote kind={kind} thing={thing} />
          </Suspense>
        </div>
      )}
    </>
  )
}
