"""What cannot be compressed is refused with a reason, and nothing is written.

RUN: %python %s %t
"""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
shape = llama.shape_of(neighbours=True)
llama.write_llama2c(folder / "model.bin", shape, llama.tensors_of(shape))
(folder / "text").write_text("abc")
(folder / "there").mkdir()
(folder / "there/mine").write_text("")
failures = []


def expect(message, *options, status=1):
    out = folder / "out"
    result = subprocess.run(["trn-compress", folder / "model.bin", "-o", out, f"--calib={folder / 'text'}", *options],
                            capture_output=True, text=True)
    if result.returncode != status or message not in result.stderr + result.stdout or out.exists():
        failures.append(f"{options}: expected '{message}', but status {result.returncode} and "
                        f"{result.stdout}{result.stderr}")


ONE = "give one of --rank, --ratio, --keep-ratio, --model-ratio, --ranks, --neurons and --speedup, not "
expect(ONE + "0")
expect(ONE + "2", "--rank=4", "--ratio=0.5")
expect("--rank must be at least 1", "--rank=0")
SHARES = "--ratio, --keep-ratio and --model-ratio must lie between 0 and 1"
for ratio in "0", "1", "-0.5", "nan":
    expect(SHARES, f"--ratio={ratio}")
    expect(SHARES, f"--model-ratio={ratio}")
expect(SHARES, "--keep-ratio=1.5")
expect("--block is 33, but must be a multiple of 32", "--ratio=0.5", "--block=33")
for alpha, spelled in ("1", "1.00"), ("-0.1", "-0.10"), ("nan", "nan"):
    expect(f"--alpha is {spelled}, but must be at least 0 and below 1", "--ratio=0.5", f"--alpha={alpha}")
expect("--alpha rounds ranks that come from a share, not those of --rank and --ranks; leave it out", "--rank=4",
       "--alpha=0.5")
expect("nothing was compressed: the largest useful rank is 14", "--rank=15")
expect("90.0% of the model's parameters cannot be removed: the weights that may get factors have "
       "34.8% of them", "--model-ratio=0.9")
expect("layers are numbers and ranges like '0,3-9', not 'x'", "--rank=4", "--layers=x")
expect("layers '1-2' are none of this model: they are 0 to 1", "--rank=4", "--layers=0,1-2")
expect("'(' is no regular expression", "--rank=4", "--ignore=(")
expect("the model has no module 'moe'", "--rank=4", "--modules=mlp,moe")
expect("all selected weights have factors already, or none is selected", "--rank=4", "--ignore=mlp")
for text, message in (("[1]", "it is no object of modules and ranks"),
                      ("{", "Expected object key"),
                      ('{"x": 0}', "the rank of 'x' is 0, but must be at least 1"),
                      ('{"x": 1}', "the model has no module 'x' to give rank 1"),
                      ("{}", "names no module")):
    (folder / "ranks.json").write_text(text)
    expect(message, f"--ranks={folder / 'ranks.json'}")
expect("No such file or directory", f"--ranks={folder / 'nowhere'}")
expect("is there already; name another folder, or remove it with --force", "--rank=4", "-o",
       str(folder / "there"))
expect("was not made by trn-compress, so --force does not remove it", "--rank=4", "--force", "-o",
       str(folder / "there"))
expect("--resume goes on with what --force removes; give one", "--rank=4", "--force", "--resume")
expect("story 1 of", "--rank=4", f"--evaluate={folder / 'text'}")
expect("is one that factors are fitted to; evaluate on another text", "--rank=4",
       f"--evaluate={folder / 'text'}")
expect("--method=plain is for --recover=none", "--rank=4", "--method=plain")
expect("--method=plain is for --recover=none: block fits", "--rank=4", "--method=plain", "--recover=distill")
expect("--steps is for --recover=block, lora and distill, not closed", "--rank=4", "--steps=5")
expect("--loss is for --recover=lora and distill, not none", "--rank=4", "--recover=none", "--loss=text")
expect("--lora-rank is for --recover=lora, not distill", "--rank=4", "--recover=distill", "--lora-rank=4")
for option in "--steps", "--train-seqs", "--lora-rank":
    expect(f"{option} must be at least 1", "--rank=4", "--recover=lora", f"{option}=0")
expect("--step-size must be above 0 and at most 1", "--rank=4", "--recover=lora", "--step-size=0")
expect("is there already; name another folder or remove it", "--rank=4", "--recover=lora",
       f"--save-adapter={folder / 'there'}")
expect("--method=asvd is for --recover=none: block fits", "--rank=4", "--recover=block", "--method=asvd")
expect("--steps must be at least 1", "--rank=4", "--recover=block", "--steps=0")
expect("--train-seqs is for --recover=lora and distill, not block", "--rank=4", "--recover=block", "--train-seqs=4")
expect("--metric=fisher weighs errors of outputs, and --method=plain knows none; use --method=whiten or "
       "--recover=closed", "--rank=4", "--recover=none", "--method=plain", "--metric=fisher")
expect("--shrink must lie between 0 and 1000", "--rank=4", "--shrink=-1")
expect("--max-tokens must be at least 1", "--rank=4", "--max-tokens=0")
expect("--calib-seqs must be at least 1", "--rank=4", "--calib-seqs=0")
for option in "--shrink=2", "--stream-error=off", "--refit=attention":
    expect(f"{option.split('=')[0]} is for what is fitted, and nothing is; leave it out or use --recover=closed",
           "--rank=4", "--recover=none", option)
expect("rank 4, modelled 0.", "--rank=4", "--dry-run", "--rows=1", status=0)
# 14.06 ranks are the whole weight; 40 neurons, of which 32 are left.
SHARE = " of the parameters of {} go, not {}: sizes are multiples of 32 and weights that would not shrink stay dense; " \
    "a smaller --block comes nearer"
expect("20.0%" + SHARE.format("these weights", "60.0%"), "--method=neurons", "--ratio=0.6", "--block=32", "--dry-run",
       status=0)
expect("7.0%" + SHARE.format("the model", "20.0%"), "--method=neurons", "--model-ratio=0.2", "--block=32", "--dry-run",
       status=0)
NEURONS = "--method=neurons"
expect(ONE + "0", NEURONS)
expect(ONE + "2", NEURONS, "--neurons=4", "--ratio=0.5")
expect("--neurons must be at least 1", NEURONS, "--neurons=4,0")
expect("--neurons has 3 numbers, but the model has 2 layers; give one for all of them or one for each", NEURONS,
       "--neurons=4,5,6")
expect("--neurons is for --method=neurons", "--neurons=4")
expect("--heads is for --method=neurons", "--heads=2")
expect("attention has 6 heads of queries and 3 of keys, so 5 and 2 cannot stay: of each head of keys that stays, as "
       "many heads of queries stay, and at most 2; give --kv-heads, too", NEURONS, "--heads=5")
expect("so 6 and 2 cannot stay: of each head of keys that stays, as many heads of queries stay, and at most 2; give other "
       "numbers of --heads and --kv-heads", NEURONS, "--heads=6", "--kv-heads=2")
expect("attention has 6 heads of queries and 3 of keys, and as many would stay; give fewer --heads or a larger --ratio",
       NEURONS, "--modules=attention", "--ratio=0.1")
expect("heads go from all weights of attention in all layers, which have one number of them, but "
       "'model.layers.1.self_attn.q_proj' is not selected; leave --layers and --ignore out", NEURONS, "--heads=4",
       "--layers=0")
expect("MLPs are selected, but nothing says how many neurons stay; give --neurons, or only --modules=attention",
       NEURONS, "--heads=4", "--modules=mlp,attention")
expect("--allocate=loss shares neurons of MLPs out, not heads; leave --modules and --heads out", NEURONS,
       "--modules=attention", "--ratio=0.5", "--allocate=loss")
expect("--scores is for --method=neurons", "--ratio=0.5", "--scores=norm")
expect("--metric is for factors of whole weights, of which --method=neurons makes none; leave it out", NEURONS,
       "--neurons=8", "--metric=fisher")
expect(ONE + "0; with --method=neurons, --rank goes with another one", NEURONS, "--rank=4")
expect("--rank is 13, but factors of what neurons leave have fewer parameters only up to rank 12; give a smaller "
       "--rank, or leave it out", NEURONS, "--neurons=26", "--rank=13")
expect("factors of what neurons leave are fitted to the whole model; leave --rank or --recover=none out", NEURONS,
       "--neurons=26", "--rank=8", "--recover=none")
expect("--allocate=relative is for factors, of which --method=neurons makes none; use --allocate=loss", NEURONS,
       "--neurons=4", "--allocate=relative")
for option in "--svd=exact", "--sigma=u":
    expect(f"{option.split('=')[0]} is for factors, of which --method=neurons makes none without --rank; leave it out",
           NEURONS, "--neurons=4", option)
expect("--require-faster is for factors of whole weights, of which --method=neurons makes none; leave it out", NEURONS,
       "--neurons=4", "--require-faster")
expect("--alpha rounds ranks that come from a share", NEURONS, "--neurons=4", "--alpha=0.5")
expect("nothing was compressed: MLPs have 40 neurons, and as many would stay; give --neurons of at most 39", NEURONS,
       "--neurons=40")
expect("as many would stay; give a larger --ratio than 0.100 or a smaller --block than 128", NEURONS, "--ratio=0.1")
expect("neurons go from all weights of an MLP, but 'model.layers.0.mlp.gate_proj' is selected and "
       "'model.layers.0.mlp.down_proj' is not; choose MLPs with --modules=mlp and --layers", NEURONS, "--neurons=4",
       "--modules=gate_proj")
ROW = "--rows=1"
expect("--speedup is 1.00, but must be above 1", NEURONS, "--speedup=1", ROW)
expect("--speedup is INF, but must be above 1", NEURONS, "--speedup=inf", ROW)
expect("--speedup chooses sizes by what a calibration says, which --dry-run does not read; leave one out", NEURONS,
       "--speedup=2", ROW, "--dry-run")
expect("--export=dense writes weights that take more time than those of --speedup; leave one out", "--speedup=2", ROW,
       "--export=dense")
expect("--speedup is at one number of rows, and --rows has 2; give --rows=1 for decoding one sequence", "--speedup=2")
for option in "--allocate=loss", "--modules=mlp", "--require-faster":
    expect("--speedup shares out what MLPs may take by loss; leave --allocate, --modules and --require-faster out",
           "--speedup=2", ROW, option)
expect(ONE + "2", "--speedup=2", ROW, "--rank=4")
expect("--alpha rounds ranks that come from a share", "--speedup=2", ROW, "--alpha=0.5")
expect("--speedup gives MLPs multiples of 128 neurons, and at most 39 would be fewer parameters; give a smaller "
       "--block", NEURONS, "--speedup=2", ROW)
expect("--speedup gives MLPs multiples of 32 ranks, and at most 14 would be fewer parameters", "--speedup=2", ROW,
       "--block=32")
expect("attention is selected, but nothing says how many heads stay; give --heads, or only --modules=mlp", NEURONS,
       "--neurons=4", "--modules=attention")
expect("neurons that are no multiple of 128 leave partitions idle", NEURONS, "--neurons=4", "--dry-run", status=0)
expect("model.layers.1.mlp.down_proj         40 x 24     4 of 40 neurons\n", NEURONS, "--neurons=4", "--dry-run",
       "--rows=", status=0)
expect("parameters 15,384 of 16,536: 7.0% removed, of those asked for 20.0%", NEURONS, "--ratio=0.9", "--block=32", "--dry-run", "--rows=", status=0)
for size in "0", "-1GB", "many", "5TB", "nan":
    expect(f"--max-shard-size is '{size}', but must be a number above 0 with KB, MB or GB", "--rank=4",
           f"--max-shard-size={size}")
expect("give one of --rank, --ratio, --keep-ratio, --model-ratio, --ranks, --neurons and --speedup, not 0", "--export=dense")
expect("No such file or directory", "--rank=4", f"--calib={folder / 'nowhere'}")
expect("ranks that are no multiple of 128 leave partitions idle", "--rank=4", "--dry-run", status=0)
expect("model.layers.1.mlp.down_proj         40 x 24     rank 4", "--rank=4", "--dry-run", status=0)
result = subprocess.run(["trn-compress", folder / "model.bin", "--rank=4"], capture_output=True, text=True)
if result.returncode != 1 or "give the folder to make with -o" not in result.stderr:
    failures.append(result.stderr)
sys.exit("\n".join(failures) or 0)
