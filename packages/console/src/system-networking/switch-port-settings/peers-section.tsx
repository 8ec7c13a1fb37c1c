/** The form section for BGP peers. */
import { cidrFieldProblem, md5KeyProblem, ROUTER_LIFETIME_MAX } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { allConfigsQuery } from '../bgp/queries.ts'
import { choicesOf } from '../../data/reads.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Entries, MoreFields, FieldPair } from './entries.tsx'
import { ipProblem, LinkField, type Part, useLinkOptions, VlanField } from './fields.tsx'
import { newPeer, partsOf } from './values.ts'

const peerOptions = [
  { value: 'numbered', label: 'By its address' },
  { value: 'unnumbered', label: 'Found on the link' },
]

const ipOrNothing = (text: string) => (text.trim() === '' ? undefined : ipProblem(text))
const networksProblem = (text: string) =>
  partsOf(text)
    .map(cidrFieldProblem)
    .find((problem) => problem !== undefined)

const timers = [
  ['holdTime', 'Hold time'],
  ['keepalive', 'Keepalive'],
  ['idleHoldTime', 'Idle hold time'],
  ['connectRetry', 'Connect retry'],
  ['delayOpen', 'Delay open'],
] as const

const uint32 = 0xffffffff

export function PeersSection({ control }: Part) {
  const navigate = useNavigate()
  const links = useLinkOptions(control)
  const peers = useWatch({ control, name: 'peers' })
  const configs = useQuery(allConfigsQuery)
  return (
    <Entries
      control={control}
      name="peers"
      title="BGP peers"
      description="The routers with which the switch exchanges routes over this port."
      noun="BGP peer"
      fresh={() => newPeer(links[0]?.value ?? '')}
    >
      {(index) => {
        const peer = peers[index]
        return (
          <>
            <FieldPair>
              <ListboxField
                name={`peers.${index}.kind`}
                label="Reached"
                control={control}
                options={peerOptions}
              />
              {peer?.kind === 'unnumbered' ? (
                <NumberField
                  name={`peers.${index}.routerLifetime`}
                  label="Router lifetime"
                  units="s"
                  control={control}
                  max={ROUTER_LIFETIME_MAX}
                />
              ) : (
                <TextField
                  name={`peers.${index}.targetAddr`}
                  label="Peer address"
                  control={control}
                  required
                  mono
                  validate={ipProblem}
                />
              )}
              <ListboxField
                name={`peers.${index}.bgpConfig`}
                label="BGP configuration"
                control={control}
                empty="No BGP configurations"
                whenEmpty={{
                  label: 'New BGP configuration',
                  onAction: () => void navigate({ to: '/system/networking/bgp-new' }),
                }}
                {...choicesOf(configs, ({ name, asn }) => ({
                  value: name,
                  label: `${name} (AS ${asn})`,
                }))}
              />
              <NumberField
                name={`peers.${index}.remoteAsn`}
                label="Remote ASN"
                tip="Leave empty to accept any autonomous system"
                control={control}
                min={1}
                max={uint32}
                required={false}
              />
              <LinkField name={`peers.${index}.linkName`} control={control} />
              <TextField
                name={`peers.${index}.md5AuthKey`}
                label="MD5 key"
                type="password"
                autoComplete="new-password"
                control={control}
                validate={(key) => md5KeyProblem(peer?.targetAddr || 'the peer', key)}
              />
            </FieldPair>
            <MoreFields label="Routes exchanged with the peer">
              <CheckboxField name={`peers.${index}.filtersImport`} control={control}>
                Import only these networks
              </CheckboxField>
              {peer?.filtersImport && (
                <TextField
                  name={`peers.${index}.allowedImport`}
                  label="Imported networks"
                  description="Comma-separated; empty for none"
                  control={control}
                  mono
                  validate={networksProblem}
                />
              )}
              <CheckboxField name={`peers.${index}.filtersExport`} control={control}>
                Export only these networks
              </CheckboxField>
              {peer?.filtersExport && (
                <TextField
                  name={`peers.${index}.allowedExport`}
                  label="Exported networks"
                  description="Comma-separated; empty for none"
                  control={control}
                  mono
                  validate={networksProblem}
                />
              )}
              <TextField
                name={`peers.${index}.communities`}
                label="Communities"
                description="Numbers added to every exported route"
                control={control}
                mono
                validate={(text) =>
                  partsOf(text).every((part) => /^\d{1,10}$/.test(part) && Number(part) <= uint32)
                    ? undefined
                    : `Must be numbers up to ${uint32}`
                }
              />
              <FieldPair>
                <NumberField
                  name={`peers.${index}.localPref`}
                  label="Local preference"
                  control={control}
                  max={uint32}
                  required={false}
                />
                <NumberField
                  name={`peers.${index}.multiExitDiscriminator`}
                  label="Multi-exit discriminator"
                  control={control}
                  max={uint32}
                  required={false}
                />
              </FieldPair>
              <CheckboxField name={`peers.${index}.enforceFirstAs`} control={control}>
                Reject routes that do not begin with the peer’s own ASN
              </CheckboxField>
            </MoreFields>
            <MoreFields label="Timers and session">
              <FieldPair>
                {timers.map(([name, label]) => (
                  <NumberField
                    key={name}
                    name={`peers.${index}.${name}`}
                    label={label}
                    units="s"
                    control={control}
                    max={uint32}
                  />
                ))}
                {peer?.kind !== 'unnumbered' && (
                  <TextField
                    name={`peers.${index}.srcAddr`}
                    label="Source address"
                    control={control}
                    mono
                    validate={ipOrNothing}
                  />
                )}
                <NumberField
                  name={`peers.${index}.minTtl`}
                  label="Minimum TTL"
                  control={control}
                  max={255}
                  required={false}
                />
                <VlanField name={`peers.${index}.vlanId`} control={control} required={false} />
              </FieldPair>
            </MoreFields>
          </>
        )
      }}
    </Entries>
  )
}
