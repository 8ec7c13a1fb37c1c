import type { ResourceReference } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { apiQuery, refetchShown, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { type KindOf, kindOf } from '../../data/lists.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'

export const starsQuery = apiQuery('starList', {})

/** The user's stars, newest first; undefined until known. */
export function useStars(): ResourceReference[] | undefined {
  const enabled = useCapability('stars')
  return useQuery({ ...starsQuery, enabled }).data?.items
}

/** The action that stars a resource or removes its star. Missing without the capability. */
export function useStarAction<Thing extends { id: string; name: string }>(
  kind: KindOf<ListedKind, Thing>,
): (thing: Thing) => MenuAction[] {
  const supported = useCapability('stars')
  const stars = useStars()
  const { mutate: star } = useApiMutation('starCreate', { onError: refetchShown })
  const { mutate: unstar } = useApiMutation('starDelete', {
    onError: refetchShown,
    expected: [404],
  })
  return (thing) => {
    const { id, name } = thing
    if (!supported) return []
    const reportDone = (what: string) =>
      addToast({
        content: (
          <>
            {what} <b>{name}</b>
          </>
        ),
      })
    if (!stars?.some((each) => each.id === id)) {
      const onAction = () =>
        star(
          { body: { kind: kindOf(kind, thing), id } },
          {
            onSuccess: () => reportDone('Starred'),
            onError: ({ message }) => errorToast(`Could not star ${name}`, message),
          },
        )
      return [{ label: 'Star', onAction }]
    }
    const onAction = () =>
      unstar(
        { path: { thing: id } },
        {
          onSuccess: () => reportDone('Removed the star from'),
          // Another tab may have removed it already.
          onError: ({ statusCode, message }) =>
            statusCode === 404
              ? reportDone('Removed the star from')
              : errorToast(`Could not remove the star from ${name}`, message),
        },
      )
    return [{ label: 'Unstar', onAction }]
  }
}

type StarButtonProps = { kind: ListedKind; thing: { id: string; name: string } }

/** Star toggle beside the name of a resource, on its page or panel. */
export function StarButton({ kind, thing }: StarButtonProps) {
  const [action] = useStarAction(kind)(thing)
  const starred = useStars()?.some(({ id }) => id === thing.id)
  if (!action) return null
  return (
    <IconButton
      label={action.label}
      sends
      onClick={action.onAction}
      className={cx(starred && 'text-accent-text!')}
      icon={
        <Star size={16} strokeWidth={1.5} aria-hidden fill={starred ? 'currentColor' : 'none'} />
      }
    />
  )
}
