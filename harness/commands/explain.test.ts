import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { InvalidError } from '../errors.ts';
import { projectAt } from '../project.ts';
import { parity, REPOSITORY, temporaryProject } from '../testing/cli.ts';
import { type ExplainOptions, explained } from './explain.ts';

interface Planted {
  plant: string;
  scenario: string;
  turn: number;
  lane?: string;
}

/** A run with a fault, recorded for real. */
async function planted({ plant, scenario, lane = 'embedded-vllm' }: Planted): Promise<string> {
  const cwd = temporaryProject([scenario]);
  const file = `ci/lanes/${lane}.yaml`;
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  cpSync(join(REPOSITORY, file), join(cwd, file));
  const { exitCode } = await parity(['run', scenario, '--lane', lane, '--plant', plant, '--out', 'run'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  return cwd;
}

/** An explanation in a project of its own; the run folder is named as it stands there. */
const explain = (cwd: string, target: string, options?: ExplainOptions): string =>
  explained(projectAt(cwd), join(cwd, 'run'), target, options).replaceAll(join(cwd, 'run'), 'run');

/** What is explained, without the findings' own words: those are the ladder's, and tested there. */
async function view(asked: Planted): Promise<string> {
  return viewIn(await planted(asked), asked);
}

function viewIn(cwd: string, asked: Planted, options?: ExplainOptions): string {
  const lines = explain(cwd, `${asked.scenario}:${asked.turn}`, options).split('\n');
  for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
  const from = lines.indexOf('');
  return `\n${lines[0]?.replace(/ {3}[A-Z]+$/, '')}\n${lines.slice(from + 1).join('\n')}`;
}

describe('a divergence is explained', () => {
  test('TMPL: tool schemas that the server printed otherwise', async () => {
    const asked = { plant: 'sorted-schema-keys', scenario: 'tools/schema-numbers', turn: 1 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      tools/schema-numbers:1  prompt_token_ids   embedded-vllm (emulated) against golden
        parts of the prompt, golden
        >      0     268 ids  tools
             268     262 ids  user turn 1
             530       7 ids  generation prompt

        first difference at index 69 of 537 ids, 538 came; 69 ids before it are equal
                 golden                          embedded-vllm             from
        =     61  13834 ' pump'               61  13834 ' pump'            tools
        =     62    594 ''s'                  62    594 ''s'               tools
        =     63  19115 ' dose'               63  19115 ' dose'            tools
        =     64  10465 '.",'                 64  10465 '.",'              tools
        =     65    330 ' "'                  65    330 ' "'               tools
        =     66  13786 'parameters'          66  13786 'parameters'       tools
        =     67    788 '":'                  67    788 '":'               tools
        =     68   5212 ' {"'                 68   5212 ' {"'              tools
        >     69   1313 'type'                69  35499 'additional'       tools | unknown
        ~                                     70   7903 'Properties'       unknown
        =     70    788 '":'                  71    788 '":'               tools
        ~                                     72    895 ' false'           unknown
        ~                                     73     11 ','                unknown
        =     71    330 ' "'                  74    330 ' "'               tools
        ~     72   1700 'object'              75  13193 'properties'       tools | unknown
        ~     73    497 '",'                                               tools
        ~     74    330 ' "'                                               tools
        ~     75   6279 'required'                                         tools
        next       parity show tools/schema-numbers:1 --run run"
    `);
  });

  test('SPLICE: a newline lost between the carried ids and the template', async () => {
    const asked = { plant: 'turn-separator-lost', scenario: 'basics/system-prompt', turn: 2 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      basics/system-prompt:2  prompt_token_ids   embedded-vllm (emulated) against golden
        parts of the prompt, golden
               0      17 ids  system
              17     261 ids  user turn 1
             278       3 ids  generation prompt
             281      15 ids  assistant turn 1 (carried ids)
        >    296       2 ids  assistant turn 1
             298     261 ids  user turn 2
             559       3 ids  generation prompt

        first difference at index 297 of 562 ids, 561 came; 297 ids before it are equal
                 golden                          embedded-vllm             from
        =    289  30816 'Hy'                 289  30816 'Hy'               assistant turn 1 (carried ids)
        =    290     85 'v'                  290     85 'v'                assistant turn 1 (carried ids)
        =    291  42443 'ää'                 291  42443 'ää'               assistant turn 1 (carried ids)
        =    292  32965 ' hu'                292  32965 ' hu'              assistant turn 1 (carried ids)
        =    293  12913 'oment'              293  12913 'oment'            assistant turn 1 (carried ids)
        =    294     64 'a'                  294     64 'a'                assistant turn 1 (carried ids)
        =    295     13 '.'                  295     13 '.'                assistant turn 1 (carried ids)
        =    296 151645 '<|im_end|>'         296 151645 '<|im_end|>'       assistant turn 1
        >    297    198 '\\n'                                               assistant turn 1
        =    298 151644 '<|im_start|>'       297 151644 '<|im_start|>'     user turn 2
        =    299    872 'user'               298    872 'user'             user turn 2
        =    300    198 '\\n'                 299    198 '\\n'               user turn 2
        =    301    220 ' '                  300    220 ' '                user turn 2
        =    302    758 ' In'                301    758 ' In'              user turn 2
        =    303  14662 ' Bas'               302  14662 ' Bas'             user turn 2
        =    304    591 'que'                303    591 'que'              user turn 2
        =    305   1939 '?\\n\\n'              304   1939 '?\\n\\n'            user turn 2
        =    306 122407 '鿍'                 305 122407 '鿍'               user turn 2
        next       parity show basics/system-prompt:2 --run run"
    `);
  });

  test('NUM: a generated id that is another one', async () => {
    const asked = {
      plant: 'flipped-generation-id',
      scenario: 'tools/weather',
      turn: 1,
      lane: 'embedded-trtllm',
    };
    const cwd = await planted(asked);
    expect(viewIn(cwd, asked)).toMatchInlineSnapshot(`
      "
      tools/weather:1  generation_token_ids   embedded-trtllm (emulated) against golden
        parts of the reply
        >      0       7 ids  reply 1, thought
               7       1 ids  reply 1, answer
               8      21 ids  reply 1, call 1

        first difference at index 2 of 29 ids, 29 came; 2 ids before it are equal
                 golden                          embedded-trtllm           from
        =      0 151667 '<think>'              0 151667 '<think>'          reply 1, thought
        =      1    198 '\\n'                   1    198 '\\n'               reply 1, thought
        >      2  10380 'Look'                 2  10381 ' religious'       reply 1, thought
        =      3    432 ' it'                  3    432 ' it'              reply 1, thought
        =      4    705 ' up'                  4    705 ' up'              reply 1, thought
        =      5    624 '.\\n'                  5    624 '.\\n'              reply 1, thought
        =      6 151668 '</think>'             6 151668 '</think>'         reply 1, thought
        =      7    271 '\\n\\n'                 7    271 '\\n\\n'             reply 1, answer
        =      8 151657 '<tool_call>'          8 151657 '<tool_call>'      reply 1, call 1
        =      9    198 '\\n'                   9    198 '\\n'               reply 1, call 1
        =     10   4913 '{"'                  10   4913 '{"'               reply 1, call 1
        =     11    606 'name'                11    606 'name'             reply 1, call 1
        next       parity show tools/weather:1 --run run"
    `);
    const equal = viewIn(cwd, asked, { field: 'prompt_token_ids', at: 200 });
    expect(equal).toContain('no difference: ');
    expect(equal.split('\n').filter((line) => line.startsWith('  @'))).toEqual([
      "  @    200 121953 '鹬'                 200 121953 '鹬'               user turn 1",
    ]);
  });

  test('STOP: the terminal stop id trimmed', async () => {
    const asked = { plant: 'eos-trimmed', scenario: 'tools/weather', turn: 1 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      tools/weather:1  generation_token_ids   embedded-vllm (emulated) against golden
        parts of the reply
               0       7 ids  reply 1, thought
               7       1 ids  reply 1, answer
               8      21 ids  reply 1, call 1
        >     29       1 ids  reply 1, stop id

        first difference at index 29 of 30 ids, 29 came; 29 ids before it are equal
                 golden                          embedded-vllm             from
        =     21   8926 'city'                21   8926 'city'             reply 1, call 1
        =     22    788 '":'                  22    788 '":'               reply 1, call 1
        =     23    330 ' "'                  23    330 ' "'               reply 1, call 1
        =     24     57 'Z'                   24     57 'Z'                reply 1, call 1
        =     25   5186 'ür'                  25   5186 'ür'               reply 1, call 1
        =     26    713 'ich'                 26    713 'ich'              reply 1, call 1
        =     27  95642 '"}}\\n'               27  95642 '"}}\\n'            reply 1, call 1
        =     28 151658 '</tool_call>'        28 151658 '</tool_call>'     reply 1, call 1
        >     29 151645 '<|im_end|>'                                       reply 1, stop id
        next       parity show tools/weather:1 --run run"
    `);
  });

  test('DETOK: half a character, whose bytes are shown', async () => {
    const asked = { plant: 'half-character-replaced', scenario: 'limits/cut-in-emoji', turn: 1 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      limits/cut-in-emoji:1  content   embedded-vllm (emulated) against golden
        content
        golden                 "\\n\\nThe flamingo"
        embedded-vllm          "\\n\\nThe flamingo �"
                                                ^ character 14

        the generated ids that the text was made of
                 embedded-vllm                                             from
               1    198 '\\n'                                               reply 1, thought
               2  36730 'Easy'                                             reply 1, thought
               3    624 '.\\n'                                              reply 1, thought
               4 151668 '</think>'                                         reply 1, thought
               5    271 '\\n\\n'                                             reply 1, answer
               6    785 'The'                                              reply 1, answer
               7  84623 ' flaming'                                         reply 1, answer
               8     78 'o'                                                reply 1, answer
        >      9  11162 bytes 20 f0 9f                                     reply 1, answer
              10     99 bytes a6                                           reply 1, answer

        the oracle on this reply
        vllm-0.25.1 *          as the golden
        vllm-0.32 *            as the golden
        trtllm *               as the lane
        * the embedded server runs the same code for this
        next       parity show limits/cut-in-emoji:1 --run run"
    `);
  });

  test('REAS: reasoning that ended up in the content', async () => {
    const asked = { plant: 'reasoning-in-content', scenario: 'reasoning/on', turn: 1 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      reasoning/on:1  reasoning   embedded-vllm (emulated) against golden
        reasoning
        golden                 "\\n9:40 plus two hours is 11:40.\\n\\n11:40 plus 35 minutes is 12:15.\\n"
        embedded-vllm          null

        the generated ids that the text was made of
                 embedded-vllm                                             from
               0 151667 '<think>'                                          reply 1, thought
        >      1    198 '\\n'                                               reply 1, thought
               2     24 '9'                                                reply 1, thought
               3     25 ':'                                                reply 1, thought
               4     19 '4'                                                reply 1, thought
               5     15 '0'                                                reply 1, thought
               6   5519 ' plus'                                            reply 1, thought
               7   1378 ' two'                                             reply 1, thought
               8   4115 ' hours'                                           reply 1, thought
               9    374 ' is'                                              reply 1, thought
              10    220 ' '                                                reply 1, thought

        the oracle on this reply
        vllm-0.25.1 *          as the golden
        vllm-0.32 *            as the golden
        trtllm *               as the golden
        * the embedded server runs the same code for this
        next       parity show reasoning/on:1 --run run"
    `);
  });

  test('TOOL: arguments printed otherwise', async () => {
    const asked = { plant: 'arguments-compact', scenario: 'tools/run-bash', turn: 1 };
    expect(await view(asked)).toMatchInlineSnapshot(`
      "
      tools/run-bash:1  tool_calls   embedded-vllm (emulated) against golden
        call 1 arguments
        golden                 "{"command": "find src -name '*.py' | wc -l"}"
        embedded-vllm          "{"command":"find src -name '*.py' | wc -l"}"
                                           ^ character 11

        the generated ids that the text was made of
                 embedded-vllm                                             from
               2   3903 'find'                                             reply 1, thought
               3    323 ' and'                                             reply 1, thought
               4  26548 ' wc'                                              reply 1, thought
               5    686 ' will'                                            reply 1, thought
               6    653 ' do'                                              reply 1, thought
               7    624 '.\\n'                                              reply 1, thought
               8 151668 '</think>'                                         reply 1, thought
               9    271 '\\n\\n'                                             reply 1, answer
        >     10 151657 '<tool_call>'                                      reply 1, call 1
              11    198 '\\n'                                               reply 1, call 1
              12   4913 '{"'                                               reply 1, call 1
              13    606 'name'                                             reply 1, call 1
              14    788 '":'                                               reply 1, call 1
              15    330 ' "'                                               reply 1, call 1
              16   6108 'run'                                              reply 1, call 1
              17    880 '_b'                                               reply 1, call 1
              18    988 'ash'                                              reply 1, call 1
              19    497 '",'                                               reply 1, call 1

        the oracle on this reply
        vllm-0.25.1 *          as the golden
        vllm-0.32 *            as the golden
        trtllm *               as the golden
        * the embedded server runs the same code for this
        next       parity show tools/run-bash:1 --run run"
    `);
  });

  test('calls as tags: the oracle has an opinion, because it knows the tools', async () => {
    const asked = { plant: 'tool-calls-dropped', scenario: 'xml/calls', turn: 1, lane: 'embedded-vllm-xml' };
    const cwd = await planted(asked);
    const { findings } = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8'));
    expect(findings[0]).toMatchObject({ field: 'tool_calls', reference: 'expected' });
    const said = explain(cwd, 'xml/calls:1');
    expect(said.slice(said.indexOf('  the oracle'))).toMatchInlineSnapshot(`
      "  the oracle on this reply
        vllm-0.25.1 *          as the golden
        vllm-0.32              as the golden
        trtllm *               as the golden
        * the embedded server runs the same code for this
        next       parity show xml/calls:1 --run run"
    `);
  });
});

test('a field without an order shows both values', async () => {
  const asked = { plant: 'usage-off-by-one', scenario: 'tools/weather', turn: 1 };
  const cwd = await planted(asked);
  expect(explain(cwd, 'tools/weather:1', { field: 'usage' })).toMatch(/^ {2}expected .*\n {2}actual /m);
});

test('two lanes are explained against each other', async () => {
  const cwd = temporaryProject();
  await parity(['compare', 'embedded-vllm', 'embedded-trtllm', '--out', 'run'], { cwd });
  const said = explain(cwd, 'tools/weather:2', { lane: 'embedded-trtllm', field: 'generation_token_ids' });
  expect(said.split('\n')[0]).toBe(
    'tools/weather:2  generation_token_ids   embedded-trtllm (emulated) against embedded-vllm',
  );
});

test('verdict, cause and evidence of the report are shown, and hostile text is spelled', async () => {
  const cwd = await planted({ plant: 'content-stripped', scenario: 'reasoning/on', turn: 1 });
  const results = join(cwd, 'run/results.json');
  const document = JSON.parse(readFileSync(results, 'utf8'));
  const [finding] = document.findings;
  Object.assign(finding, {
    verdict: 'REAS',
    reference: 'expected',
    evidence: ['one \u001b[2J\u202e line', 'a wide 喹 line '.repeat(12)],
  });
  writeFileSync(results, JSON.stringify(document));
  const transcript = join(cwd, 'run/transcripts/embedded-vllm/reasoning/on.json');
  const recorded = JSON.parse(readFileSync(transcript, 'utf8'));
  recorded.turns[0].content = '\u001b]0;title\u0007\n\u00a0喹';
  writeFileSync(transcript, JSON.stringify(recorded));
  const stdout = explain(cwd, 'reasoning/on:1', { field: 'content' });
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(`\n${stdout.slice(0, stdout.indexOf('  the generated'))}`).toMatchInlineSnapshot(`
    "
    reasoning/on:1  content   embedded-vllm (emulated) against golden   REAS
      scenarios/reasoning/on.yaml:6:5
      found      first difference at character 0: "\\n\\nIt arrives" expected, "It arrives a" came
      means      blanks around the content are stripped
      cause      content-stripped
      evidence   one \\u001b[2J\\u202e line
      evidence   a wide 喹 line a wide 喹 line a wide 喹 line a wide 喹 line a wide 喹 line a wide 喹
                 line a wide 喹 line a wide 喹 line a wide 喹 line a wide 喹 line a wide 喹 line a wide
                 喹 line 
      oracle     agrees with the golden

      content
      golden                 "\\n\\nIt arrives at 12:15."
      embedded-vllm          "\\u001b]0;title\\u0007\\n\\u00a0喹"
                              ^ character 0

    "
  `);
  for (const line of stdout.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
});

test('what does not exist exits 2 with a hint', async () => {
  const cwd = temporaryProject();
  await parity(['run', '--lane', 'embedded-vllm', '--out', 'run'], { cwd });
  const asked: [target: string, options?: ExplainOptions][] = [
    ['tools/weather'],
    ['tools/wether:1'],
    ['tools/weather:9'],
    ['tools/weather:0'],
    ['tools/weather:1', { field: 'contents' }],
    ['tools/weather:1', { at: 99_999 }],
    ['tools/weather:1', { field: 'content', at: 99_999 }],
    ['tools/weather:1', { field: 'usage', at: 1 }],
    ['tools/weather:1', { lane: 'embedded-trtllm' }],
  ];
  const errors = asked.map(([target, options]) => {
    try {
      return explain(cwd, target, options);
    } catch (error) {
      if (error instanceof InvalidError) return error.message;
      throw error;
    }
  });
  for (const args of [
    ['nowhere', 'tools/weather:1'],
    ['run', 'tools/weather:1', '--at', 'x'],
  ]) {
    const { exitCode, stderr, stdout } = await parity(['explain', ...args], { cwd });
    expect([exitCode, stdout], args.join(' ')).toEqual([2, '']);
    errors.push(stderr.trim());
  }
  expect(`\n${errors.join('\n').replaceAll(cwd, '<project>')}\n`).toMatchInlineSnapshot(`
    "
    'tools/weather' names no turn
      name one as in tools/weather:2; turns begin at 1
    the run has no scenario 'tools/wether'
      did you mean 'tools/weather'? it has 1
    no turn 9 of tools/weather
      lane embedded-vllm has 4, numbered from 1
    no turn 0 of tools/weather
      lane embedded-vllm has 4, numbered from 1
    no field 'contents'
      fields: http_status, prompt_token_ids, generation_token_ids, reasoning, tool_calls, content, finish_reason, usage, logprobs, contiguity, messages, conservation, expect
    tools/weather:1: no index 99999: prompt_token_ids has 433 ids
      leave --at out to see the first difference
    tools/weather:1: no index 99999: content has 0 characters
      leave --at out to see the first difference
    tools/weather:1: no index 1: usage has no order
      leave --at out to see the first difference
    <project>/run: no lane 'embedded-trtllm' has played tools/weather
      lanes: embedded-vllm
    parity: no run 'nowhere'
      name a run folder, or one under <project>/reports such as \`last\`
    error: option '--at <index>' argument 'x' is invalid. It must be a whole number.
    "
  `);
});
