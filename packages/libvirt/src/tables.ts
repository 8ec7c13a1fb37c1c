import type { Generated } from 'kysely'
import type { SnapshotConsistencyName } from '@steading/api/rules'
import type { Flag } from '@steading/control-plane/engine'
import type { Firmware } from '@steading/api/rules'

/** A file with bytes of volumes. Only the volumes of this engine write these tables. */
export interface LibvirtLayerTable {
  id: string
  /** The layer whose bytes show through where this one has none. */
  parent_id: string | null
  /** Bytes. */
  size: number
  /** Whether its file exists; from then on, it may have bytes. */
  made: Flag
  /** The storage pool with its file, which is also that of the layers below; null for the first one. */
  pool_id: string | null
}

/** A volume or a snapshot. */
export interface LibvirtVolumeTable {
  id: string
  /** The layer with its bytes. That of a snapshot never changes. */
  layer_id: string
  /** Bytes; the size of its layers is a multiple of 512. */
  size: number
  is_snapshot: Flag
  /** Ends the record of written extents. */
  sealed: Flag
  /** The machine that may have it open. */
  machine_id: string | null
  /**
   * Of a volume of which a snapshot is being taken: the layer that it continues with. A guest may
   * already write to it.
   */
  next_layer_id: string | null
  /** Of a snapshot: how consistent the file systems in it are; null while it is being taken. */
  consistency: SnapshotConsistencyName | null
  /** Firmware that the disk boots by; null until known. */
  firmware: Firmware | null
  /** The storage pool of its next layers; null for the first one. */
  pool_id: string | null
}

/** The variables that UEFI keeps with a boot disk, such as the entries of its boot menu. */
export interface LibvirtFirmwareVariablesTable {
  volume_id: string
  /** Base64 of the file, which is mostly empty, compressed by gzip. */
  data: string
}

/** Extents written during an import. They may touch, but rarely do. */
export interface LibvirtWrittenTable {
  volume_id: string
  /** Bytes from the beginning of the volume. */
  start: number
  length: number
}

/** The layer that gets the contents of an image in a volume, while it is being converted. */
export interface LibvirtConversionTable {
  volume_id: string
  layer_id: string
}

/** A storage pool besides the first one. */
export interface LibvirtPoolTable {
  id: string
  path: string
  /** In the directory as well. */
  token: string
  /** Whether the directory has had its token. */
  made: Flag
}

/** The layer that gets the bytes of a volume in another storage pool, while it is being copied. */
export interface LibvirtTransferTable {
  volume_id: string
  layer_id: string
  /** The machine whose QEMU copies it; null while the volume is at rest. */
  machine_id: string | null
  /** How often QEMU was asked to copy it. */
  attempts: Generated<number>
  /** The guest is paused, or about to be, for going on with the copy. */
  switching: Generated<Flag>
}

declare module '@steading/control-plane/engine' {
  interface Database {
    libvirt_layer: LibvirtLayerTable
    libvirt_volume: LibvirtVolumeTable
    libvirt_conversion: LibvirtConversionTable
    libvirt_pool: LibvirtPoolTable
    libvirt_transfer: LibvirtTransferTable
    libvirt_written: LibvirtWrittenTable
    libvirt_firmware_variables: LibvirtFirmwareVariablesTable
  }
}
