import type { Notification } from '@steading/api/client'
import { notificationWord } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { Dialog } from 'react-aria-components/Dialog'
import { apiQuery, useApiMutation } from '../../data/api.ts'
import { linkTo } from '../../data/addresses.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextLink } from '../../ui/link.tsx'
import { MenuFrame } from '../../ui/menu-popup.tsx'
import { popup, PopupButton, type PopupProps } from '../../ui/popup-button.tsx'
import { StateShape } from '../../ui/state-badge.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { notificationsQuery } from './queries.ts'
import { stateTone } from './labels.ts'

const SHOWN = 8

/** Marks notifications as read. */
export const useMarkRead = () => useApiMutation('notificationRead')

/** Marks all notifications that the user has seen as read, and none that came since. */
export function useMarkAllRead(newest: Notification | undefined) {
  const { mutate, isPending } = useApiMutation('notificationReadAll')
  return {
    isPending,
    markAll: () => newest && mutate({ body: { until: newest.timeChanged } }),
  }
}

function NotificationsPopup(from: PopupProps) {
  const { data, error, refetch } = useQuery(notificationsQuery({ limit: SHOWN }))
  const { mutate } = useMarkRead()
  const items = data?.items
  const { markAll, isPending } = useMarkAllRead(items?.[0])
  return (
    <MenuFrame from={from} placement="bottom-end" className="w-96! max-w-[calc(100vw-1rem)]!">
      <Dialog aria-label="Notifications" className="flex flex-col outline-none">
        <div className="flex items-center justify-between gap-3 px-2 pt-1 pb-2">
          <h2 className="font-medium">Notifications</h2>
          <TextLink to="/settings/notifications" className="text-xs" onClick={from.onClose}>
            View all
          </TextLink>
        </div>
        {error && !items && <LoadError what="The notifications" error={error} onRetry={refetch} />}
        {items?.length === 0 && (
          <p className="px-2 pt-2 pb-6 text-center text-secondary">
            Issues that concern you show up here when they begin and end
          </p>
        )}
        <ul>
          {items?.map((one) => (
            <li key={one.id}>
              <Link
                {...linkTo(one.path)}
                onClick={() => {
                  if (one.unread) mutate({ body: { ids: [one.id] } })
                  from.onClose()
                }}
                className="focus-inset flex gap-2.5 rounded-control px-2 py-2 hover:bg-hover"
              >
                <span className="flex h-lh shrink-0 items-center">
                  <StateShape tone={stateTone(one)} />
                </span>
                <span className="flex min-w-0 grow flex-col gap-0.5">
                  <span className={cx('wrap-anywhere', one.unread && 'font-medium')}>
                    {one.sentence}
                  </span>
                  <span className="flex gap-2 text-xs text-tertiary">
                    <span>{notificationWord(one)}</span>
                    <TimeAgo date={one.timeChanged} caption="Changed" ago />
                    {one.unread && <span className="sr-only">unread</span>}
                  </span>
                </span>
                {one.unread && (
                  <span className="flex h-lh shrink-0 items-center" aria-hidden>
                    <span className="size-2 rounded-full bg-accent" />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
        {items?.some(({ unread }) => unread) && (
          <div className="flex justify-end border-t px-2 pt-2 pb-1">
            <Button size="sm" variant="ghost" sends loading={isPending} onClick={markAll}>
              Mark all as read
            </Button>
          </div>
        )}
      </Dialog>
    </MenuFrame>
  )
}

const notificationsPopup = popup('dialog', () => Promise.resolve(NotificationsPopup))

/** Top bar button with the number of unread notifications. */
export function Bell() {
  const { data } = useQuery(apiQuery('notificationUnreadView', {}))
  const count = data?.count ?? 0
  const shown = data?.more ? `${count}+` : String(count)
  return (
    <PopupButton
      popup={notificationsPopup}
      content={{}}
      label={count > 0 ? `Notifications, ${shown} unread` : 'Notifications'}
      tooltip="Notifications"
      className={cx(
        buttonClass('ghost', 'md'),
        'min-w-8 px-2! hover:bg-hover aria-expanded:bg-pressed',
      )}
    >
      <BellIcon size={16} strokeWidth={1.5} aria-hidden />
      {count > 0 && (
        <span className="absolute -top-0.5 -right-1 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-xs leading-none text-on-accent tabular-nums">
          {shown}
        </span>
      )}
    </PopupButton>
  )
}
