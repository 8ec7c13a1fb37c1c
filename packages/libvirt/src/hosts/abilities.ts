/** Abilities of QEMU for guests, from libvirt's description. */

/** Values of an enumeration in libvirt's description. */
const valuesOf = (xml: string, name: string): string[] => {
  const [, values = ''] = new RegExp(`<enum name='${name}'>(.*?)</enum>`, 's').exec(xml) ?? []
  return [...values.matchAll(/<value>([^<]*)<\/value>/g)].map(([, value]) => value!)
}

/** A part of `virsh domcapabilities`, for support bundles. */
export const abilitiesIn = (xml: string) => ({
  emulator: /<path>([^<]*)<\/path>/.exec(xml)?.[1],
  machine: /<machine>([^<]*)<\/machine>/.exec(xml)?.[1],
  vcpus: Number(/<vcpu max='(\d+)'/.exec(xml)?.[1]),
  firmware: valuesOf(/<os supported='yes'>(.*?)<loader/s.exec(xml)?.[1] ?? '', 'firmware'),
  cpu_modes: [...xml.matchAll(/<mode name='([^']*)' supported='yes'/g)].map(([, mode]) => mode!),
  disk_buses: valuesOf(xml, 'bus'),
  graphics: valuesOf(/<graphics supported='yes'>(.*?)<\/graphics>/s.exec(xml)?.[1] ?? '', 'type'),
})
