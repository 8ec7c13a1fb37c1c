# A guest that counts on its disk: a boot sector that appends records, one in each sector from the
# second MiB on. Each has the number of the record, a random id of this boot, what the record before
# said when it was read again just now, and how many this boot has written before. A record that is on
# the disk is printed. Two guests on one disk leave records that do not follow from each other, also if
# they have the same memory. Its power button powers it off.
#
#   as --32 counting-guest.S -o guest.o
#   ld -m elf_i386 -Ttext 0x7c00 --oformat binary guest.o -o guest.bin
#   base64 guest.bin
.set MAGIC, 0x544e4f43         # "CONT"
.set TICKS, 4                  # between two records, of 55 ms
.set BUFFER, 0x8000
.set RECORD, 0x8200
.globl _start
_start:
.code16
  cli
  xor %ax,%ax
  mov %ax,%ds
  mov %ax,%es
  mov %ax,%ss
  mov $0x7c00,%sp
  cld
  sti
  # enable the power button's status
  mov $0x602,%dx
  mov $0x100,%ax
  out %ax,%dx
  # an empty record
  xor %ax,%ax
  mov $RECORD,%di
  mov $256,%cx
  rep stosw
  movl $MAGIC,RECORD
  # the id of this boot: cycles of the processor, and the time
  rdtsc
  mov %eax,RECORD+8
  mov $2,%ah
  int $0x1a
  mov %cx,RECORD+12
  mov %dx,RECORD+14
  mov $boot,%si
  call puts
  call putid
search:                        # the number of records, bit by bit
  xor %ebx,%ebx
  mov $0x80000,%ebp
1:
  lea -1(%ebx,%ebp),%eax
  call read
  jc search
  cmpl $MAGIC,BUFFER
  jne 2f
  add %ebp,%ebx
2:
  shr $1,%ebp
  jnz 1b
append:
  mov %ebx,%eax
  call read
  jc search
  cmpl $MAGIC,BUFFER           # somebody else has written it
  je search
  mov %ebx,RECORD+4
  lea -1(%ebx),%eax            # the sector before the first record is empty
  call read
  jc search
  mov $BUFFER+4,%si
  mov $RECORD+16,%di
  mov $6,%cx
  rep movsw
  mov %ebx,%eax
  mov $RECORD,%di
  mov $0x43,%ah
  call transfer
  jc search
  mov $record,%si
  call puts
  mov %ebx,%eax
  call puthex
  call putid
  inc %ebx
  incl RECORD+28
  mov $TICKS,%bp
tick:
  mov $0x600,%dx
  in %dx,%ax
  test $0x100,%ax
  jnz off
  hlt
  dec %bp
  jnz tick
  jmp append
off:
  mov $bye,%si
  call puts
  mov $0x604,%dx
  mov $0x2000,%ax
  out %ax,%dx
stop:
  hlt
  jmp stop
read:                          # record %eax to the buffer; carry if it failed
  mov $BUFFER,%di
  mov %eax,%ecx
  mov $0x42,%ah
  jmp 1f
transfer:                      # record %ebx at %di, by the function %ah
  mov %ebx,%ecx
1:
  add $2048,%ecx
  mov %ecx,sector
  mov %di,place
  mov $0,%al
  mov $0x80,%dl
  mov $packet,%si
  int $0x13
  ret
putid:                         # the id of this boot
  mov RECORD+12,%eax
  call puthex
  mov RECORD+8,%eax
puthex:                        # the hexadecimal digits of %eax
  mov $8,%cx
1:
  rol $4,%eax
  push %eax
  and $15,%al
  cmp $10,%al
  sbb $0x69,%al
  das
  call put
  pop %eax
  loop 1b
  ret
puts:
  lodsb
  test %al,%al
  jz ret1
  call put
  jmp puts
put:
  mov %al,%ah
full:
  mov $0x3fd,%dx
  in %dx,%al
  test $0x20,%al
  jz full
  mov %ah,%al
  mov $0x3f8,%dx
  out %al,%dx
ret1:
  ret
boot: .asciz "\r\nBoot "
record: .asciz "\r\n+"
bye: .asciz "\r\nPower off.\r\n"
packet:
  .byte 16, 0
  .word 1
place:
  .word 0, 0
sector:
  .long 0, 0
.org 510
.word 0xaa55
