import type { AccessHolder } from '@steading/api/client'
import { kindTable } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { messageOf } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/number.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type Ability, abilitiesOf } from './abilities.ts'
import type { AccessQuestion } from './ask-access.ts'
import { PathText } from './path-text.tsx'

/** Number of users listed at once; more are found by name. */
const SHOWN = 100

type Props = { asked: AccessQuestion & { of: 'thing' }; onDismiss: () => void }

/** Users with a permission, each with the roles that grant it. */
export default function WhoCanPanel({ asked, onDismiss }: Props) {
  const { kind, name, project } = asked
  const abilities = abilitiesOf(kind)
  const [ability, setAbility] = useState(abilities.at(-1)!)
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const group = useId()
  const query = useQuery({
    ...apiQuery('accessList', {
      query: {
        kind: ability.kind,
        action: ability.action,
        project,
        search: search || undefined,
        limit: SHOWN,
      },
    }),
    placeholderData: (before) => before,
  })
  return (
    <SideModal
      title="Who can…"
      subtitle={name ?? kindTable[kind].words}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Who can</legend>
        {abilities.map((each) => (
          <label key={each.label} className="flex items-start gap-2">
            <input
              type="radio"
              className="radio mt-0.5"
              name={group}
              checked={each.label === ability.label}
              onChange={() => setAbility(each)}
            />
            {each.label}
          </label>
        ))}
      </fieldset>
      <input
        type="search"
        aria-label="Search by name"
        placeholder="Search by name"
        className="field-control"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {query.error && !query.data && <Banner variant="error">{messageOf(query.error)}</Banner>}
      {query.isPending && (
        <p className="flex items-center gap-2 text-tertiary">
          <Spinner /> Loading…
        </p>
      )}
      {query.data && (
        <Holders
          {...query.data}
          ability={ability}
          searched={search !== ''}
          waiting={query.isPlaceholderData}
        />
      )}
    </SideModal>
  )
}

type HoldersProps = {
  items: AccessHolder[]
  total: number | null
  undisclosed: string[]
  ability: Ability
  searched: boolean
  waiting: boolean
}

function Holders({ items, total, undisclosed, ability, searched, waiting }: HoldersProps) {
  const count = total === null ? 'More than 10,000 users' : usersIn(total)
  return (
    <div className={cx('flex flex-col gap-3', waiting && 'is-waiting')}>
      <p role="status">
        {searched ? `${count} of this name can ` : `${count} can `}
        {ability.label}
        {total === 0 ? '.' : ':'}
      </p>
      {items.length > 0 && (
        <ul
          aria-label="Users"
          className="divide-y overflow-hidden rounded-card border *:px-3 *:py-2"
        >
          {items.map(({ user, paths }) => (
            <li key={user.id} className="bg-raised">
              <div className="truncate font-medium">{user.displayName}</div>
              <ul className="text-secondary">
                {paths.map((path) => (
                  <li key={`${path.grant} ${path.group?.id}`} className="wrap-anywhere">
                    <PathText path={path} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {(total === null || total > items.length) && (
        <p className="text-secondary">
          {total === null ? 'And many others' : `And ${formatNumber(total - items.length)} others`}:
          search by name to find them.
        </p>
      )}
      {undisclosed.length > 0 && (
        <p className="text-secondary">
          Operators with the role {undisclosed.join(' or ')} can as well. Only operators see who
          they are.
        </p>
      )}
    </div>
  )
}

const usersIn = (count: number): string =>
  count === 0 ? 'No user' : count === 1 ? '1 user' : `${formatNumber(count)} users`
