// Runs each case of a JSON file through its shader in Chromium and compares. Called by webgl.py:
//   node webgl.mjs FOLDER_OF_NODE_MODULES CHROMIUM CASES.json EMPTY_PROFILE_FOLDER
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [modules, executablePath, file, profile] = process.argv.slice(2);
const { chromium } = createRequire(modules + '/')('playwright-core');
const cases = JSON.parse(readFileSync(file, 'utf8'));

// In the page: one vertex shader, transform feedback into one interleaved buffer, ten floats a vertex.
function run(test) {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return { error: 'no WebGL2 context' };
  const compile = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  };
  try {
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl.VERTEX_SHADER, test.shader));
    gl.attachShader(program, compile(gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}'));
    gl.transformFeedbackVaryings(program, ['out_position', 'out_normal', 'out_tangent'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    const place = gl.getUniformLocation(program, test.texture ? 'sinew_palette' : 'sinew_palette[0]');
    if (test.texture) {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, test.texture[0], test.texture[1], 0, gl.RGBA, gl.FLOAT, new Float32Array(test.palette));
      gl.uniform1i(place, 0);
    } else {
      gl.uniform4fv(place, new Float32Array(test.palette));
    }
    const attribute = (name, array, size, stride, offset) => {
      const at = gl.getAttribLocation(program, name);
      if (at < 0) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(at);
      if (array instanceof Uint32Array) gl.vertexAttribIPointer(at, size, gl.UNSIGNED_INT, stride, offset);
      else gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
    };
    attribute('position', new Float32Array(test.positions), 3, 0, 0);
    attribute('normal', new Float32Array(test.normals), 3, 0, 0);
    attribute('tangent', new Float32Array(test.tangents), 4, 0, 0);
    for (const half of [0, 1]) {
      attribute('joints' + half, new Uint32Array(test.joints), 4, 32, 16 * half);
      attribute('weights' + half, new Float32Array(test.weights), 4, 32, 16 * half);
    }
    const count = test.positions.length / 3;
    const result = new Float32Array(10 * count);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, result.byteLength, gl.STREAM_READ);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, result);
    if (gl.getError() !== gl.NO_ERROR) throw new Error('the context reports an error');
    return { values: Array.from(result) };
  } catch (error) {
    return { error: String(error) };
  } finally {
    gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}

const flags = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags });
let failed = 0;
try {
  const page = await browser.newPage();
  for (const test of cases) {
    const { values, error } = await page.evaluate(run, test);
    let worst = 0, offset = 0;
    for (const [name, size] of error ? [] : [['position', 3], ['normal', 3], ['tangent', 4]]) {
      test.expected[name].forEach((expected, i) => {
        const difference = Math.abs(values[10 * Math.floor(i / size) + offset + (i % size)] - expected);
        worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference / Math.max(1, Math.abs(expected)));
      });
      offset += size;
    }
    const ok = !error && worst < 2e-5;
    failed += ok ? 0 : 1;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${test.name}: ${error ?? `largest difference ${worst.toExponential(1)}`}`);
  }
} finally {
  await browser.close();
}
console.log(`${cases.length} cases, ${failed} failed`);
process.exit(failed || !cases.length ? 1 : 0);
