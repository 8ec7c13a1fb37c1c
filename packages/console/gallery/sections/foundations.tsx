import { HardDrive, Network, Server } from 'lucide-react'
import { Avatar } from '../../src/ui/avatar.tsx'
import { Identicon } from '../../src/ui/identicon.tsx'
import { Logo } from '../../src/ui/logo.tsx'
import { Spinner } from '../../src/ui/spinner.tsx'
import { Mono } from '../../src/ui/text.tsx'
import { Columns, Specimen } from '../section.tsx'

const hueParts = ['solid', 'text', 'surface', 'border']

const tokens: Record<string, string[]> = {
  Neutrals: Array.from({ length: 12 }, (_, index) => `n${index + 1}`),
  Surfaces: ['page', 'sunken', 'raised', 'floating', 'control', 'hover', 'pressed', 'selected']
    .concat('skeleton', 'inverse')
    .map((name) => `surface-${name}`)
    .concat('scrim'),
  Lines: ['line', 'line-strong', 'line-control', 'focus-ring'],
  Texts: ['primary', 'secondary', 'tertiary', 'disabled', 'inverse'].map((name) => `text-${name}`),
  Accent: [...hueParts, 'solid-hover', 'on'].map((part) => `accent-${part}`),
  ...Object.fromEntries(
    ['green', 'amber', 'red', 'blue', 'violet'].map((hue) => [
      hue.charAt(0).toUpperCase() + hue.slice(1),
      [...hueParts, ...(hue === 'red' ? ['solid-hover', 'on'] : [])].map(
        (part) => `${hue}-${part}`,
      ),
    ]),
  ),
}

export const Colours = () =>
  Object.entries(tokens).map(([name, group]) => (
    <Specimen key={name} name={name}>
      <ul className="grid w-full grid-cols-6 gap-x-3 gap-y-2 max-lg:grid-cols-3">
        {group.map((token) => (
          <li key={token} className="flex items-center gap-2">
            <span
              className="size-7 shrink-0 rounded-sm border"
              style={{ background: `var(--${token})` }}
            />
            <Mono className="truncate text-secondary">{token}</Mono>
          </li>
        ))}
      </ul>
    </Specimen>
  ))

const sizes = {
  'text-2xl': 'text-2xl font-semibold tracking-[-0.022em]',
  'text-number': 'text-number font-semibold tracking-[-0.02em] tabular-nums',
  'text-xl': 'text-xl font-semibold',
  'text-lg': 'text-lg font-semibold',
  'text-base': 'text-base font-medium',
  'text-sm': 'text-sm',
  'text-xs': 'text-xs text-secondary',
}

export const Type = () => (
  <>
    <ul className="flex flex-col gap-2">
      {Object.entries(sizes).map(([name, className]) => (
        <li key={name} className="flex items-baseline gap-4">
          <Mono className="w-24 shrink-0 text-tertiary">{name}</Mono>
          <span className={className}>Instances of storefront, 1,204 of them</span>
        </li>
      ))}
      <li className="flex items-baseline gap-4">
        <Mono className="w-24 shrink-0 text-tertiary">font-mono</Mono>
        <Mono>fd00:1122:3344:101::1/64 =&gt; 172.30.0.5 0O 1lI</Mono>
      </li>
      <li className="flex items-baseline gap-4">
        <Mono className="w-24 shrink-0 text-tertiary">label</Mono>
        <span className="label text-tertiary">small heading</span>
      </li>
    </ul>
    <Columns>
      <Specimen name="Logo, 16, 20, 24 and 48 pixels">
        {[16, 20, 24, 48].map((size) => (
          <Logo key={size} size={size} className="text-accent-text" />
        ))}
      </Specimen>
      <Specimen name="Identicons and avatars">
        {['storefront', 'analytics', 'city-archive', 'mill'].map((name) => (
          <Identicon key={name} name={name} />
        ))}
        <Avatar name="Marta Lindqvist" />
      </Specimen>
      <Specimen name="Icons and spinners">
        {[Server, HardDrive, Network].map((Icon, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- without state
          <Icon key={index} size={16} strokeWidth={1.5} aria-hidden className="text-tertiary" />
        ))}
        <Spinner size={12} />
        <Spinner />
        <Spinner size={20} />
      </Specimen>
    </Columns>
  </>
)
