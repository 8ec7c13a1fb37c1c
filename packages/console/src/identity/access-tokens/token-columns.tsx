import type { AccessTokenDetails, DeviceAccessToken } from '@steading/api/client'
import type { TokenAccess } from '@steading/api/rules'
import type { Column } from '../../ui/column.ts'
import { createdColumn } from '../../page/columns.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

/** Control planes without the extension list the tokens of devices only, without details. */
export type TokenRow = DeviceAccessToken & Partial<AccessTokenDetails>

/** The rights of a token in words. */
export const accessWords: Record<TokenAccess, string> = {
  full: 'All rights',
  read_only: 'Read only',
  admin: 'Admin at most',
  collaborator: 'Collaborator at most',
  limited_collaborator: 'Limited collaborator at most',
  viewer: 'Viewer at most',
}

const projectsText = (projects: NonNullable<AccessTokenDetails['projects']>): string =>
  projects.map(({ id, name }) => name ?? `deleted (${id})`).join(', ')

const expiresColumn: Column<TokenRow> = {
  id: 'expires',
  header: 'expires',
  width: 176,
  phone: 'second',
  labelled: true,
  cell: ({ timeExpires }) => (timeExpires ? <DateTime date={timeExpires} /> : 'Never'),
}

/** The columns of tokens with a name. */
export const tokenColumns: Column<TokenRow>[] = [
  {
    id: 'name',
    header: 'name',
    width: 160,
    cell: ({ name }) =>
      name ? (
        <Truncate text={name} className="text-primary" />
      ) : (
        <span {...tooltip('A program got this token when you confirmed its code')}>Device</span>
      ),
  },
  {
    id: 'rights',
    header: 'rights',
    phone: 'second',
    cell: ({ access = 'full', projects }) => (
      <span className="flex min-w-0 items-center gap-1.5">
        {access === 'full' && !projects ? accessWords.full : <Tag>{accessWords[access]}</Tag>}
        {projects && <Truncate text={`in ${projectsText(projects)}`} className="text-secondary" />}
      </span>
    ),
  },
  {
    id: 'used',
    header: 'last used',
    width: 184,
    phone: 'second',
    labelled: true,
    cell: ({ timeLastUsed, lastUsedAddress }) =>
      timeLastUsed ? (
        <span className="flex min-w-0 gap-1">
          <TimeAgo date={timeLastUsed} caption="Last used" ago />
          {lastUsedAddress && (
            <Truncate text={`from ${lastUsedAddress}`} className="text-tertiary" />
          )}
        </span>
      ) : (
        'Never'
      ),
  },
  expiresColumn,
  { ...createdColumn, phone: 'second', labelled: true },
]

/** The columns of a control plane that only lists the tokens of devices. */
export const plainTokenColumns: Column<TokenRow>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  { ...createdColumn, phone: 'second', labelled: true },
  expiresColumn,
]
