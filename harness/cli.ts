#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, ParityError } from './errors.ts';
import { isFileError } from './file-error.ts';
import { writeError } from './report/write.ts';
import { version } from './version.ts';

// Heavy code is imported by the command that needs it: --help must stay fast.

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

// A reader that has seen enough, such as `head`, is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const list = (value: string, before: string[] = []): string[] => {
  const names = value.split(',').filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError('It must name a lane.');
  return [...before, ...names];
};
const each = (value: string, before: string[] = []): string[] => [...before, value];
const laneOption = new Option('-l, --lane <names>', 'lanes, comma-separated')
  .argParser(list)
  .default([], 'the embedded ones');
const historyOption = new Option('--history <how>', 'how earlier turns reach the prompt').choices([
  'spliced',
  'rerendered',
]);

const program = new Command('parity')
  .description(
    'Replays conversations to vLLM and TensorRT-LLM chat servers and asserts bitwise equality with goldens.',
  )
  .version(version())
  .showSuggestionAfterError()
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

program
  .command('run [scenarios...]')
  .description('play scenarios, compare with the goldens, report')
  .addOption(laneOption)
  .addOption(historyOption)
  .addOption(
    new Option('--continue <whose>', 'whose answers a turn builds on')
      .choices(['own', 'golden'])
      .default('own'),
  )
  .addOption(
    new Option('--against <what>', 'compare with the goldens, or lane with lane')
      .choices(['goldens', 'each-other'])
      .default('goldens'),
  )
  .option('-o, --out <dir>', 'run folder (default: a new one under reports/)')
  .option('--localise', 'ask a server that is found wrong for its stages, one by one')
  .option(
    '--plant <name>',
    'give the embedded lanes a fault; `list` shows them, `all` proves that each is caught',
  )
  .addHelpText(
    'after',
    examples(
      'parity run',
      "parity run 'tools/*' --lane embedded-vllm",
      'parity run --plant eos-trimmed --out /tmp/run',
    ),
  )
  .action(async (patterns, options) => {
    const { runCommand } = await import('./commands/run.ts');
    return finish(await runCommand(patterns, options, interrupt.signal));
  });

program
  .command('compare <lane> <lane> [scenarios...]')
  .description('play two lanes, or take a recorded run, and compare them with each other; no golden needed')
  .addOption(historyOption)
  .option('--run <run>', 'judge the lanes of this recorded run instead of playing them')
  .option('-o, --out <dir>', 'run folder (default: a new one under reports/)')
  .addHelpText(
    'after',
    examples(
      'parity compare embedded-vllm embedded-trtllm',
      'parity compare embedded-vllm embedded-trtllm --run last',
    ),
  )
  .action(async (first, second, patterns, options) => {
    const { compareCommand } = await import('./commands/compare.ts');
    return finish(await compareCommand([first, second], patterns, options, interrupt.signal));
  });

program
  .command('record [scenarios...]')
  .description('write goldens from a lane that agrees with itself (never in CI)')
  .addOption(laneOption)
  .addOption(historyOption)
  .addOption(
    new Option('--update <mode>', 'which goldens').choices(['missing', 'changed', 'all']).default('missing'),
  )
  .requiredOption('--reason <text>', 'why, for whoever reviews the golden', nonEmpty)
  .addHelpText('after', examples('parity record tools/weather --reason "new scenario"'))
  .action(async (patterns, options) => {
    const { recordCommand } = await import('./commands/record.ts');
    return finish(await recordCommand(patterns, options, interrupt.signal));
  });

program
  .command('check')
  .description('check every scenario, lane, golden and the codebook, without a server')
  .action(async () => {
    const { checkCommand } = await import('./commands/check.ts');
    return finish(checkCommand());
  });

program
  .command('verify <run>')
  .description('judge a recorded run again, without a server')
  .addHelpText('after', examples('parity verify last', 'parity verify reports/2026-11-30T06-00-00-000Z-1a2b'))
  .action(async (run) => {
    const { verifyCommand } = await import('./commands/verify.ts');
    return finish(verifyCommand(run));
  });

program
  .command('show <scenario[:turn]>')
  .description('print a golden as words, and beside it what a run answered')
  .addOption(historyOption)
  .option('--run <run>', 'a run folder, or the name of one under reports/ (`last`)')
  .addHelpText('after', examples('parity show tools/weather', 'parity show tools/weather:2 --run last'))
  .action(async (target, options) => {
    const { showCommand } = await import('./commands/show.ts');
    return finish(showCommand(target, options));
  });

program
  .command('explain <run> <scenario:turn>')
  .description('show one field of a turn as ids, text and the message that produced each token')
  .option('-l, --lane <name>', 'which lane (default: the one with the first finding)')
  .option('-f, --field <name>', 'which field (default: that of the first finding)')
  .option('--at <index>', 'where to look, in ids or characters (default: the first difference)', integer)
  .addHelpText(
    'after',
    examples(
      'parity explain last tools/weather:2',
      'parity explain last tools/weather:2 --field content --at 40',
    ),
  )
  .action(async (run, target, options) => {
    const { explainCommand } = await import('./commands/explain.ts');
    return finish(explainCommand(run, target, options));
  });

program
  .command('list [scenarios...]')
  .description('print lanes, scenarios and their goldens')
  .action(async (patterns) => {
    const { listCommand } = await import('./commands/list.ts');
    return finish(listCommand(patterns));
  });

program
  .command('init [folder]')
  .description('make a new project with a scenario, a lane and a golden')
  .addHelpText('after', examples('parity init my-parity'))
  .action(async (folder = '.') => {
    const { initCommand } = await import('./commands/init.ts');
    return finish(initCommand(folder));
  });

program
  .command('serve')
  .description('run an embedded chat server (an emulation) in the foreground')
  .addOption(
    new Option('--server <kind>', 'server kind')
      .choices(['nemo-rl-vllm', 'nemo-rl-trtllm', 'vllm-serve'])
      .default('nemo-rl-vllm'),
  )
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option('--port <port>', 'port; 0 takes a free one', port, 0)
  .option('--model <name>', 'served model name (default: teleprompter-<lag>)')
  .option('--codebook <file>', 'codebook of the scripted model (default: goldens/codebook.json)')
  .addOption(lagOption())
  .option('--max-model-len <tokens>', 'context window (default: 8192)', integer)
  .option('--train <temperature,top_p>', 'training sampling profile', pair, [0, 1] as [number, number])
  .option('--validation <temperature,top_p>', 'validation sampling profile', pair, [0.2, 0.95] as [
    number,
    number,
  ])
  .option('--tool-parser <name>', 'tool parser, or `none` (default: hermes; on TRT-LLM qwen3)')
  .option('--reasoning-parser <name>', 'reasoning parser, or `none`', 'qwen3')
  .option('--chat-template <file>', "chat template (default: the tokenizer's own)")
  .option('--chat-template-kwargs <json>', 'default template variables')
  .option('--enable-scale-out', "vllm-serve: open /inference/v1/generate, as vLLM's flag of this name")
  .option('--plant <name>', 'give the server a fault (parity run --plant list)')
  .addHelpText(
    'after',
    examples('parity serve --port 8000', 'parity serve --codebook codebook.json --max-model-len 4096'),
  )
  .action(async (options) => {
    const { serveCommand } = await import('./commands/serve.ts');
    return finish(await serveCommand(options, interrupt.signal));
  });

program
  .command('model')
  .description('write the scripted model as a Hugging Face checkpoint that any engine loads')
  .requiredOption('-o, --out <dir>', 'folder to write')
  .addOption(lagOption())
  .addOption(new Option('--dtype <dtype>', 'number format').choices(['bf16', 'f16', 'f32']).default('bf16'))
  .option('--codebook <file>', 'codebook (default: goldens/codebook.json)')
  .addHelpText(
    'after',
    examples('parity model --out /tmp/teleprompter-256', 'parity model --out m --lag 4096 --dtype f32'),
  )
  .action(async (options) => {
    const { modelCommand } = await import('./commands/model.ts');
    await modelCommand(options);
  });

program
  .command('probe')
  .description('ask an unknown chat server what it is, and make the lane that fits it')
  .requiredOption('--url <url>', "the server's base URL, without /v1")
  .option('--model <name>', 'served model (default: the first of /v1/models)')
  .option('--api-key-env <variable>', 'environment variable that holds a bearer token')
  .option('-o, --out <file>', 'lane file to write; one that is there is not written over')
  .option('--timeout <seconds>', 'how long one answer may take', positive, 30)
  .addHelpText(
    'after',
    examples(
      'parity probe --url http://127.0.0.1:8000',
      'parity probe --url http://127.0.0.1:8000 --out ci/lanes/my-server.yaml',
    ) +
      exitCodes(
        '0 a lane fits; 2 wrong usage; 3 no answer; 4 the server lacks what every lane needs, such as token ids',
      ),
  )
  .action(async (options) => {
    const { probeCommand } = await import('./commands/probe.ts');
    return finish(await probeCommand(options, interrupt.signal));
  });

program
  .command('doctor')
  .description('look at everything a run needs: Node, files, ports, GPU, engine, model')
  .addOption(
    new Option('-l, --lane <names>', 'look at what these lanes need, too')
      .argParser(list)
      .default([], 'none'),
  )
  .addOption(new Option('--model <dir>', 'look at a model folder, too').argParser(each).default([], 'none'))
  .addHelpText(
    'after',
    examples(
      'parity doctor',
      'parity doctor --lane attach-vllm',
      'parity doctor --model /models/teleprompter-256',
    ) + exitCodes('0 nothing fails (warnings are no failure); 2 something fails, or wrong usage'),
  )
  .action(async (options) => {
    const { doctorCommand } = await import('./commands/doctor.ts');
    return finish(await doctorCommand(options, interrupt.signal));
  });

function lagOption(): Option {
  return new Option('--lag <tokens>', 'distance between a script and its speech')
    .argParser(integer)
    .default(256);
}

function integer(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function positive(text: string): number {
  const number = integer(text);
  if (number === 0) throw new InvalidArgumentError('It must be above 0.');
  return number;
}

function port(text: string): number {
  const value = integer(text);
  if (value > 65535) throw new InvalidArgumentError('It must be at most 65535.');
  return value;
}

function pair(text: string): [number, number] {
  const [temperature, topP] = text.split(',').map(Number);
  if (temperature === undefined || topP === undefined || Number.isNaN(temperature + topP)) {
    throw new InvalidArgumentError('It must be two numbers, such as 0,1.');
  }
  return [temperature, topP];
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

function exitCodes(text: string): string {
  return `\n\nExit codes: ${text}.`;
}

function finish(exitCode: number): void {
  process.exitCode = exitCode;
}

process.on('uncaughtException', (error) => process.exit(report(error)));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // commander has printed its own message; help and version are no faults.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.equal : EXIT.invalid;
  if (error instanceof ParityError) {
    writeError(...`parity: ${error.message}`.split('\n'));
    return error.exitCode;
  }
  if (interrupt.signal.aborted) {
    writeError('parity: interrupted');
    return EXIT.incomplete;
  }
  // Its message has the code, what was tried and the path.
  if (isFileError(error)) {
    writeError(`parity: ${error.message}`);
    return EXIT.invalid;
  }
  // Node's own exit code 1 would say that something was compared and differs.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeError('parity: the harness itself has failed, so nothing is decided', ...stack.split('\n'));
  return EXIT.incomplete;
}
