/** The sections of the form except for peers, one for each part of the settings. */
import {
  cidrFieldProblem,
  gigabits,
  linkFecs,
  linkSpeeds,
  nameFieldProblem,
  parseNetwork,
  portGeometries,
  portSettingsMessages,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { allLotsQuery } from '../address-lots/queries.ts'
import { choicesOf } from '../../data/reads.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Entries, MoreFields, FieldPair } from './entries.tsx'
import { ipProblem, LinkField, type Part, useLinkOptions, VlanField } from './fields.tsx'
import { LldpFields } from './lldp-fields.tsx'
import { newAddress, newInterface, newLink, newRoute } from './values.ts'

const speedOptions = linkSpeeds.map((value) => ({ value, label: `${gigabits(value)} Gb/s` }))
const fecLabels = { firecode: 'Firecode', none: 'None', rs: 'Reed-Solomon' }
const fecOptions = [
  { value: 'default', label: 'As the switch decides' },
  ...linkFecs.map((value) => ({ value, label: fecLabels[value] })),
]
const kindOptions = [
  { value: 'primary', label: 'Primary' },
  { value: 'vlan', label: 'VLAN' },
  { value: 'loopback', label: 'Loopback' },
]
/** Validates an address with a prefix; its host part is kept. */
const addressProblem = (text: string) =>
  parseNetwork(text.trim()) ? undefined : 'Must be an address with a prefix, like 192.0.2.1/30'
export function LinksSection({ control }: Part) {
  const geometry = useWatch({ control, name: 'geometry' })
  return (
    <Entries
      control={control}
      name="links"
      title="Links"
      description="The connections of the port to the other side."
      noun="Link"
      fresh={newLink}
      warning={(count) =>
        count > portGeometries[geometry] ? portSettingsMessages.tooManyLinks(geometry) : undefined
      }
    >
      {(index) => (
        <>
          <FieldPair>
            <TextField
              name={`links.${index}.linkName`}
              label="Link name"
              control={control}
              required
              validate={(name) => nameFieldProblem(name, 'Link name')}
            />
            <ListboxField
              name={`links.${index}.speed`}
              label="Speed"
              control={control}
              options={speedOptions}
            />
            <NumberField
              name={`links.${index}.mtu`}
              label="MTU"
              units="bytes"
              control={control}
              max={65_535}
            />
            <ListboxField
              name={`links.${index}.fec`}
              label="Forward error correction"
              control={control}
              options={fecOptions}
            />
          </FieldPair>
          <CheckboxField name={`links.${index}.autoneg`} control={control}>
            Negotiate the speed with the other side
          </CheckboxField>
          <MoreFields label="LLDP">
            <LldpFields control={control} prefix={`links.${index}.lldp`} />
          </MoreFields>
          <MoreFields label="Transmit equalization">
            <FieldPair>
              {(['main', 'pre1', 'pre2', 'post1', 'post2'] as const).map((tap) => (
                <NumberField
                  key={tap}
                  name={`links.${index}.txEq.${tap}`}
                  label={`Tap ${tap}`}
                  control={control}
                  min={-(2 ** 31)}
                  max={2 ** 31 - 1}
                  required={false}
                />
              ))}
            </FieldPair>
          </MoreFields>
        </>
      )}
    </Entries>
  )
}

export function InterfacesSection({ control }: Part) {
  const interfaces = useWatch({ control, name: 'interfaces' })
  return (
    <Entries
      control={control}
      name="interfaces"
      title="Interfaces"
      description="Subdivisions of links, such as VLANs."
      noun="Interface"
      fresh={newInterface}
    >
      {(index) => (
        <>
          <FieldPair>
            <TextField
              name={`interfaces.${index}.linkName`}
              label="Interface name"
              control={control}
              required
              validate={(name) => nameFieldProblem(name, 'Interface name')}
            />
            <ListboxField
              name={`interfaces.${index}.kind`}
              label="Kind"
              control={control}
              options={kindOptions}
            />
            {interfaces[index]?.kind === 'vlan' && (
              <VlanField name={`interfaces.${index}.vid`} control={control} required />
            )}
          </FieldPair>
          <CheckboxField name={`interfaces.${index}.v6Enabled`} control={control}>
            IPv6 enabled
          </CheckboxField>
        </>
      )}
    </Entries>
  )
}

export function AddressesSection({ control }: Part) {
  const navigate = useNavigate()
  const links = useLinkOptions(control)
  const lots = useQuery(allLotsQuery)
  return (
    <Entries
      control={control}
      name="addresses"
      title="Addresses"
      description="The addresses of the port itself, allocated from address lots."
      noun="Address"
      fresh={() => newAddress(links[0]?.value ?? '')}
    >
      {(index) => (
        <FieldPair>
          <TextField
            name={`addresses.${index}.address`}
            label="Address"
            placeholder="192.0.2.1/30"
            control={control}
            required
            mono
            validate={addressProblem}
          />
          <ListboxField
            name={`addresses.${index}.addressLot`}
            label="Address lot"
            control={control}
            empty="No address lots"
            whenEmpty={{
              label: 'New address lot',
              onAction: () => void navigate({ to: '/system/networking/address-lots-new' }),
            }}
            {...choicesOf(lots, ({ name }) => ({ value: name, label: name }))}
          />
          <LinkField name={`addresses.${index}.linkName`} control={control} />
          <VlanField name={`addresses.${index}.vlanId`} control={control} required={false} />
        </FieldPair>
      )}
    </Entries>
  )
}

export function RoutesSection({ control }: Part) {
  const links = useLinkOptions(control)
  return (
    <Entries
      control={control}
      name="routes"
      title="Static routes"
      description="Routes to networks that are not learned by BGP."
      noun="Route"
      fresh={() => newRoute(links[0]?.value ?? '')}
    >
      {(index) => (
        <FieldPair>
          <TextField
            name={`routes.${index}.dst`}
            label="Destination"
            placeholder="0.0.0.0/0"
            control={control}
            required
            mono
            validate={(text) => cidrFieldProblem(text.trim())}
          />
          <TextField
            name={`routes.${index}.gw`}
            label="Gateway"
            control={control}
            required
            mono
            validate={ipProblem}
          />
          <LinkField name={`routes.${index}.linkName`} control={control} />
          <VlanField name={`routes.${index}.vid`} control={control} required={false} />
          <NumberField
            name={`routes.${index}.ribPriority`}
            label="Priority"
            tip="Of several routes to a network, the one with the highest priority is taken"
            control={control}
            max={255}
            required={false}
          />
        </FieldPair>
      )}
    </Entries>
  )
}
