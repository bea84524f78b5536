/** What the operating system says of a path: the user's files or folders are not as a command needs them. */
const OF_PATHS: ReadonlySet<string> = new Set([
  'EACCES',
  'EBUSY',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'EMFILE',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'ENOTEMPTY',
  'EPERM',
  'EROFS',
]);

/** Whether a file operation failed for a reason that lies in the file system and not in this program. */
export const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error && OF_PATHS.has(String(error.code));
