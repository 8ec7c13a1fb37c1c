import type { ListedKind } from '@steading/api/rules'
import { invalidate, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { type KindOf, kindOf } from '../../data/kind-of.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { useStars } from './queries.ts'

/** The action that gives a thing a star, or takes it away. There is none without the capability. */
export function useStarAction<Thing extends { id: string; name: string }>(
  kind: KindOf<ListedKind, Thing>,
): (thing: Thing) => MenuAction[] {
  const able = useCapability('stars')
  const stars = useStars()
  const changed = () => invalidate('starList')
  const { mutate: star } = useApiMutation('starCreate', { onSettled: changed })
  const { mutate: unstar } = useApiMutation('starDelete', { onSettled: changed, expected: [404] })
  return (thing) => {
    const { id, name } = thing
    if (!able) return []
    const said = (what: string) =>
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
            onSuccess: () => said('Starred'),
            onError: ({ message }) => errorToast(`Could not star ${name}`, message),
          },
        )
      return [{ label: 'Star', onAction }]
    }
    const onAction = () =>
      unstar(
        { path: { thing: id } },
        {
          onSuccess: () => said('Removed the star from'),
          // Another tab may have removed it already.
          onError: ({ statusCode, message }) =>
            statusCode === 404
              ? said('Removed the star from')
              : errorToast(`Could not remove the star from ${name}`, message),
        },
      )
    return [{ label: 'Unstar', onAction }]
  }
}
